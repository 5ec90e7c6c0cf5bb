// SPDX-License-Identifier: MIT
// numbers.js -- networks with numbers, in the panel beside the drawing: regressions, and
// mean, standard deviation and density of numbers, probabilities of states, given what
// the reader types and picks.

const MOST_NORMAL = 300; // numbers whose covariances a page computes at once
const MOST_CONFIGURATIONS = 4096, MOST_PRODUCTS = 5e7; // see mixture.js; multiplications for all of them
const isNumber = (node) => node.regression !== undefined;
const termsOf = (node) => node.terms || (node.terms = decodeNumbers(node.regression));
const numericParents = (node) => node.parents.map((a) => nodes[a.from]).filter(isNumber);
const isFilled = (node) => Boolean(isNumber(node) ? node.regression : node.rows && node.shown === node.rows);
const numberCount = nodes.filter(isNumber).length;
const mixedNetwork = {
  states: nodes.map((n) => (isNumber(n) ? 0 : n.labels.length)), parents: nodes.map((n) => n.parents.map((a) => a.from)),
  tables: [],
};
const configurations = numberCount ? configurationCount(mixedNetwork) : 1;

function hasTimeForNumbers() {
  if (!numberCount || numberCount > MOST_NORMAL || configurations > MOST_CONFIGURATIONS || !nodes.every(isFilled)) return false;
  mixedNetwork.tables = nodes.map((n) => (isNumber(n) ? termsOf(n) : rowsOf(n)));
  const states = treeOfStates(mixedNetwork);
  return Boolean(states) && configurations * ((configurations > 1 ? numberCount ** 3 : 0) + states.tree.numbers) <= MOST_PRODUCTS;
}
const canAskNumbers = hasTimeForNumbers();
const brief = (x) => String(Number(x.toPrecision(6))).replace("-", "−");

// The only regression of a variable, a line for each term.
function showTerms(names, terms, counts) {
  const line = (name, x) => el("tr", {}, el("th", { scope: "row", class: "given" }, name), el("td", { class: "p" }, x));
  return el("table", { class: "cpt", id: "regressions" }, el("tbody", {},
    ...names.map((name, i) => line(name, brief(terms[i]))), counts ? line("rows", number(counts[0], 0)) : null));
}

// A row for each configuration of the parents with states.
function showRegressions(node) {
  if (!isNumber(node) || !node.regression) return null;
  const numeric = numericParents(node), others = node.parents.map((a) => nodes[a.from]).filter((n) => !isNumber(n));
  const terms = termsOf(node), width = numeric.length + 2, counts = countsOf(node), body = el("tbody");
  for (let row = 0; row < terms.length / width && row < 500; row++)
    body.append(el("tr", {}, ...givenOf(row, others).map((g) => el("td", { class: "given" }, clipped(g))),
      counts ? el("td", { class: "n" }, number(counts[row], 0)) : null,
      ...[...terms.slice(row * width, (row + 1) * width)].map((x) => el("td", { class: "p" }, brief(x)))));
  const head = (text) => el("th", { scope: "col", class: "p" }, clipped(text));
  const names = ["intercept", ...numeric.map((n) => "× " + n.name), "sd"];
  return el("div", {}, el("h3", {}, "Regression" + (others.length ? ", given its parents" : "")),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Regressions of " + node.name },
      !others.length ? showTerms(names, terms, counts) :
      el("table", { class: "cpt", id: "regressions" }, el("thead", {}, el("tr", {},
        ...others.map((n) => el("th", { scope: "col", class: "parent-text" }, clipped(n.name))),
        counts ? el("th", { scope: "col", class: "n" }, "rows") : null,
        ...names.map(head))), body)));
}

// Two bell curves on one axis: without evidence (dashed) and now; a line is a known value.
function densityCurve(was, now) {
  const wide = 260, high = 90, all = [was, now].filter((d) => d.sd > 0);
  if (!all.length) return null;
  const least = Math.min(now.mean, ...all.map((d) => d.mean - 3.5 * d.sd));
  const most = Math.max(now.mean, ...all.map((d) => d.mean + 3.5 * d.sd)), known = wide * (now.mean - least) / (most - least);
  const top = Math.max(...all.map((d) => 1 / d.sd));
  const path = (d) => Array.from({ length: 81 }, (_, i) => {
    const x = least + (most - least) * i / 80, z = (x - d.mean) / d.sd;
    return (i ? "L" : "M") + (wide * i / 80).toFixed(1) + " " + (high - high * Math.exp(-z * z / 2) / d.sd / top).toFixed(1);
  }).join("");
  return svg("svg", { viewBox: "0 0 " + wide + " " + (high + 16), class: "density", role: "img", width: wide, height: high + 16,
    "aria-label": "density, from " + brief(least) + " to " + brief(most) },
  was.sd > 0 ? svg("path", { d: path(was), fill: "none", stroke: "currentColor", "stroke-dasharray": "3 3", opacity: 0.5 }) : null,
  svg("path", { d: now.sd > 0 ? path(now) : "M" + known.toFixed(1) + " 0V" + high, fill: "none", stroke: "currentColor",
    "stroke-width": 2 }),
  svg("text", { x: 0, y: high + 13, "font-size": 11, fill: "currentColor" }, brief(least)),
  svg("text", { x: wide, y: high + 13, "font-size": 11, fill: "currentColor", "text-anchor": "end" }, brief(most)));
}

// A field for the value, and whether it is set.
function valueField(node, isDo) {
  const value = el("input", { type: "text", inputmode: "decimal", size: 10, id: "number-value", "aria-label": "value of " + node.name });
  const set = () => {
    const text = value.value.trim().replace("−", "-");
    if (isFinite(Number(text)))
      change(() => (text === "" ? given.delete(node.id) : given.set(node.id, { value: Number(text), isDo: isDo.checked })));
  };
  value.addEventListener("keydown", (event) => { if (event.key === "Enter") set(); });
  return [value, " ", el("button", { type: "button", onclick: set }, "Set"), " "];
}

// A button for each state: its probability now, and a mark where it was.
function stateButtons(node, was, now, isDo) {
  const item = given.get(node.id);
  return el("div", { class: "monitor", role: "group", "aria-label": node.name }, ...node.labels.map((label, s) => {
    const isGiven = Boolean(item && item.states.includes(s));
    const pick = (event) => change(() => {
      const byHand = isDo.checked || event.shiftKey;
      if (isGiven && item.isDo === byHand) given.delete(node.id);
      else given.set(node.id, { states: [s], isDo: byHand });
    });
    return el("button", { type: "button", "data-state": s, "aria-pressed": String(isGiven), onclick: pick,
      class: "state" + (isGiven ? (item.isDo ? " do" : " given") : ""), title: now ? label + ": " + now[s].toPrecision(10) : "" },
    el("span", { class: "label" }, label),
    el("span", { class: "track" }, el("span", { class: "now", style: "width:" + (now ? 100 * now[s] : 0).toFixed(2) + "%" }),
      given.size ? el("span", { class: "was", style: "left:" + (100 * was[s]).toFixed(2) + "%" }) : null),
    el("span", { class: "value" }, now ? percent(now[s]) : ""), el("span", { class: "moved" }));
  }));
}

// What is known of a variable, and a way to say more.
let showNumbers = null; // of the selected variable
function numberMonitor(node) {
  showNumbers = null;
  if (!canAskNumbers) return null;
  const box = el("div", { class: "number-monitor" });
  showNumbers = () => {
    const now = askMixture(mixedNetwork, given), was = askMixture(mixedNetwork, new Map());
    const isDo = el("input", { type: "checkbox", id: "number-do" }), at = (d) => ({ mean: d.mean[node.id], sd: d.sd[node.id] });
    const isHere = isNumber(node), label = el("label", {}, isDo, " by intervention");
    box.replaceChildren(...[
      now ? null : el("p", { id: "number-impossible" }, "These values are impossible together."),
      now && isHere ? el("p", { id: "number-answer" }, "mean " + brief(at(now).mean) + ", standard deviation " + brief(at(now).sd)) : null,
      now && isHere ? densityCurve(at(was), at(now)) : null,
      now && isHere && configurations > 1 ?
        el("p", { class: "muted" }, "In general a mixture of normals; the curve is the normal of this mean and standard deviation.") : null,
      isHere ? null : stateButtons(node, was.p[node.id], now && now.p[node.id], isDo),
      el("p", { class: "number-ask" }, ...(isHere ? valueField(node, isDo) : []), label)].filter(Boolean));
  };
  showNumbers();
  return box;
}
