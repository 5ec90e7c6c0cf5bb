// SPDX-License-Identifier: MIT
// elements.js -- makes elements and formats numbers. Texts go into the page as text
// nodes only, so that no name can become markup.

const $ = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const key in attributes || {}) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), attributes[key]);
    else if (attributes[key] !== null && attributes[key] !== undefined)
      element.setAttribute(key, attributes[key]);
  }
  for (const child of children) {
    if (child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}
const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function number(x, digits) {
  if (x === null || x === undefined || !isFinite(x)) return "–";
  return x.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .replace("-", "−");
}
const total = (x) => number(x, Math.abs(x) < 1e5 ? 3 : Math.abs(x) < 1e7 ? 1 : 0);
const count = (x, noun) => number(x, 0) + " " + noun + (x === 1 ? "" : "s");
function bytes(x) {
  let unit = 0;
  for (; x >= 1024 && unit < 4; unit++) x /= 1024;
  return number(x, unit && x < 10 ? 1 : 0) + " " + ["B", "KB", "MB", "GB", "TB"][unit];
}
function seconds(x) {
  return x < 100 ? number(x, 2) + " s" : x < 6000 ? number(x / 60, 1) + " min" : number(x / 3600, 1) + " h";
}

// "12.3": percent with one digit; what is above 0 is never shown as 0, nor as 100 what
// is below.
function percent(p) {
  if (p > 0 && p < 0.0005) return "<0.1";
  if (p < 1 && p > 0.9995) return ">99.9";
  return p === 1 ? "100" : (100 * p).toFixed(1);
}

// A probability from its logarithm, however small: "0.0312", "4.7e−12", "10^−2031".
function probability(log) {
  if (log === -Infinity) return "0";
  const p = Math.exp(log);
  if (p >= 0.001) return String(Number(p.toPrecision(4)));
  if (log > -700) return p.toExponential(2).replace("-", "−");
  const tens = log / Math.LN10, whole = Math.floor(tens);
  return Math.pow(10, tens - whole).toFixed(2) + "e" + String(whole).replace("-", "−");
}

const pair = (dl, key, ...value) => dl.append(el("div", {}, el("dt", {}, key), el("dd", {}, ...value)));
const nameButton = (node) =>
  el("button", { type: "button", class: "name", onclick: () => pick(node, true) }, node.name);

// The first letters of a text that fit into a width, with an ellipsis for the others.
// `font` is its size and weight: "600 14px".
const ruler = document.createElement("canvas").getContext("2d");
const FAMILY = getComputedStyle(document.body).fontFamily;
function widthOfText(text, font) {
  ruler.font = font + " " + FAMILY;
  return ruler.measureText(text).width;
}
function shorten(text, width, font) {
  if (widthOfText(text, font) <= width) return text;
  const letters = Array.from(text);
  let low = 1, high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOfText(letters.slice(0, middle).join("") + "…", font) <= width) low = middle;
    else high = middle - 1;
  }
  return letters.slice(0, low).join("") + "…";
}

// The text in one line, or in two: broken at the end of a word if that is possible.
const isWordEnd = (a, b) => /[\s_.:/-]/.test(a) || (/[\p{Ll}\d]/u.test(a) && /\p{Lu}/u.test(b)) || (/\p{L}/u.test(a) && /\d/.test(b));
function wrapped(text, width, font) {
  const wide = (word) => widthOfText(word, font), letters = Array.from(text);
  if (wide(text) <= width) return [text];
  let best = null;
  for (let i = 1; i < Math.min(letters.length, 100); i++) {
    const lines = [letters.slice(0, i).join("").trim(), letters.slice(i).join("").trim()];
    if (!lines[0] || wide(lines[0]) > width) break;
    const isLong = wide(lines[1]) > width, isEnd = isWordEnd(letters[i - 1], letters[i]);
    const cost = (isLong ? 1e6 - i : Math.max(...lines.map(wide))) + (isEnd ? 0 : isLong ? 4 : width);
    if (!best || cost < best.cost) best = { cost, lines };
  }
  return best ? [best.lines[0], shorten(best.lines[1], width, font)] : [shorten(text, width, font)];
}

// A text that may be cut off, with the whole in its title.
const clipped = (text) => el("bdi", { class: "clip", title: text }, text);

// The right edge of a box fades while there is more behind it.
function watchEdge(box) {
  const show = () => box.classList.toggle("goes-on", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
  box.addEventListener("scroll", show);
  show();
}

// A table that shows its first rows, and all if asked. Columns: [title, is it a
// number, cell of a row, key to sort by].
function longTable(columns, rows, first) {
  const body = el("tbody");
  const more = el("button", { type: "button", class: "more" });
  let all = false;
  let order = rows;
  const show = () => {
    body.replaceChildren(...(all ? order : order.slice(0, first)).map((row) =>
      el("tr", {}, ...columns.map(([, isNumber, cell]) =>
        el("td", { class: isNumber ? "number" : null }, cell(row))))));
    more.hidden = all || rows.length <= first;
    more.textContent = "Show all " + number(rows.length, 0);
  };
  more.addEventListener("click", () => { all = true; show(); });
  const heads = [];
  columns.forEach(([title, isNumber, , key]) => {
    const th = el("th", { class: isNumber ? "number" : null, scope: "col" });
    heads.push(th);
    if (!key) {
      fill(th, {}, [title]);
      return;
    }
    let up = isNumber;
    th.append(el("button", { type: "button", title: "Sort by this", onclick: () => {
      const sign = up ? -1 : 1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      th.setAttribute("aria-sort", up ? "descending" : "ascending");
      up = !up;
      order = rows.slice().sort((a, b) => {
        const x = key(a), y = key(b);
        if (x === null || y === null) return (x === null) - (y === null);
        return (x < y ? -1 : x > y ? 1 : 0) * sign;
      });
      show();
    } }, title));
  });
  show();
  return el("div", {}, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body), more);
}
