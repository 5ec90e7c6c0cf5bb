// SPDX-License-Identifier: MIT
// detail.js -- the panel beside the drawing: the states, relatives and table of the
// selected variable; without one, what the evidence moves most.

const FEW = 10; // rows of data below which a row of a table is marked

function relatives(title, style, list) {
  if (!list.length) return null;
  return el("div", {}, el("h3", { class: style }, title),
    el("ul", { class: "plain" }, ...list.map(([node, arc]) => el("li", {}, nameButton(node),
      el("span", { class: "muted" }, arc && arc.lost !== null ? number(arc.lost, 2) : "")))));
}

// How often the states occur in the data; without data and without a table, their names.
function showStates(node) {
  const column = story.table && story.table.columns[node.id];
  if (!node.labels.length || (!column && (!refusal || node.shown))) return null;
  const counts = column ? column[1] : [];
  const all = counts.reduce((a, b) => a + b, 0);
  const grid = el("div", { class: "states" });
  const most = 40;
  node.labels.slice(0, most).forEach((label, s) => {
    const share = all ? counts[s] / all : 0;
    grid.append(clipped(label),
      el("span", { class: all ? "b" : null }, all ? el("span", { style: "width:" + (100 * share).toFixed(1) + "%" }) : null),
      el("span", { class: "c" }, all ? number(counts[s], 0) : ""));
  });
  return el("div", {}, el("h3", {}, all ? "In the data" : count(node.labels.length, "state")), grid,
    node.labels.length > most ? el("p", { class: "muted" }, "… and " + (node.labels.length - most) + " more") : null);
}

// The parents' states of a row: the last parent changes fastest.
function givenOf(row, parents) {
  const states = [];
  for (let i = parents.length - 1; i >= 0; i--) {
    const n = parents[i].labels.length;
    states.unshift(parents[i].labels[row % n]);
    row = Math.floor(row / n);
  }
  return states;
}

// Whether a table with a column for each parent would be wider than the panel.
function isWide(node, parents) {
  const widest = (n) => Math.max(widthOfText(n.name, "600 13px"), ...n.labels.map((label) => widthOfText(label, "13px")));
  const sum = parents.reduce((all, n) => all + Math.min(widest(n), 130) + 14, 50 + 55 * node.labels.length);
  return parents.length > 1 && sum > $("detail").clientWidth - 30;
}

function tableRow(node, row, parents, counts, isJoined) {
  const states = node.labels.length, p = tableOf(node), given = givenOf(row, parents);
  const cells = isJoined ? [el("td", { class: "given joined" }, given.join(", "))] :
    given.map((g) => el("td", { class: "given" }, clipped(g)));
  const isFew = counts && counts[row] < FEW;
  if (counts)
    cells.push(el("td", { class: "n" }, isFew ? el("span", { class: "flag", title: counts[row] ? "few rows of data" :
      "no data: the prior alone" }, "▲ ", el("span", { class: "unseen" }, counts[row] ? "few: " : "no data: ")) : null,
    number(counts[row], 0)));
  for (let s = 0; s < states; s++) {
    const x = p[row * states + s];
    cells.push(el("td", { class: "p", style: "background-image:linear-gradient(var(--bar),var(--bar));background-size:" +
      (100 * x).toFixed(1) + "% 100%" }, x.toFixed(3)));
  }
  return el("tr", { class: isFew ? "few" : null }, ...cells);
}

function fewNote(counts) {
  const few = counts ? counts.filter((x) => x < FEW).length : 0;
  const none = counts ? counts.filter((x) => x === 0).length : 0;
  if (!few) return null;
  return el("p", { class: "muted few-note" }, el("span", { class: "flag" }, "▲ "), count(few, "row") + " of " + number(counts.length, 0) +
    (few === 1 ? " rests" : " rest") + " on fewer than " + FEW + " rows of data" + (none ? ", " + number(none, 0) + " on none" : "") + ".");
}

// The table of probabilities, some rows at a time.
function showTable(node) {
  if (!node.rows || !node.shown) return node.labels.length ? null :
    el("p", { class: "muted" }, "No probabilities: a score file has neither states nor rows.");
  const parents = node.parents.map((a) => nodes[a.from]), counts = countsOf(node), isJoined = isWide(node, parents);
  const body = el("tbody"), heads = isJoined ? [parents.map((n) => n.name).join(", ")] : parents.map((n) => clipped(n.name));
  let end = 0;
  const more = el("button", { type: "button", class: "more" });
  const add = (by) => {
    for (const to = Math.min(node.shown, end + by); end < to; end++) body.append(tableRow(node, end, parents, counts, isJoined));
    more.hidden = end === node.shown;
    more.textContent = "Show more of " + number(node.shown, 0) + " rows";
  };
  more.addEventListener("click", () => add(500));
  add(48);
  const table = el("table", { class: "cpt", id: "cpt" }, el("thead", {}, el("tr", {},
    ...heads.map((text) => el("th", { scope: "col", class: "parent-text" + (isJoined ? " joined" : "") }, text)),
    counts ? el("th", { scope: "col", class: "n" }, "rows") : null,
    ...node.labels.map((label) => el("th", { scope: "col", class: "p" }, clipped(label))))), body);
  return el("div", {}, el("h3", {}, parents.length ? "Table, given its parents" : "Table"),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Probability table of " + node.name }, table), more, fewNote(counts),
    node.shown < node.rows ? el("p", { class: "muted" }, "The page holds the first " + number(node.shown, 0) +
      " of " + number(node.rows, 0) + " rows; the network's file has all.") : null);
}

// Without a selection: what moved, or else who has most arcs.
function overview() {
  const parts = [];
  const moved = nodes.filter((n) => !given.has(n.id) && changeOf(n.id) >= 0.0005)
    .sort((a, b) => changeOf(b.id) - changeOf(a.id) || a.id - b.id).slice(0, 12);
  if (given.size && answer && answer.marginals) {
    parts.push(el("h3", {}, "Moved most by the evidence"),
      moved.length ? el("ul", { class: "plain moves" }, ...moved.map((n) => {
        const m = mostMoved(n);
        return el("li", {}, nameButton(n), el("span", { class: "muted" }, clipped(n.labels[m.state]), " " + percent(m.was) + " → "),
          el("strong", { class: m.now > m.was ? "up" : "down" }, percent(m.now) + " %"));
      })) : el("p", { class: "muted" }, "Nothing else moves."));
  } else parts.push(el("h3", {}, "Select a variable"),
    el("p", { class: "muted" }, "Click one in the drawing, or find it by name, to see its " +
      (nodes.length && nodes.every(isNumber) ? "Markov blanket and its regression." :
        nodes.some(isNumber) ? "Markov blanket, and its probabilities or regressions." :
          "states, its Markov blanket and its table of probabilities.")));
  parts.push(el("h3", {}, "Most arcs"), el("ul", { class: "plain" }, ...nodes.slice()
    .sort((a, b) => b.parents.length + b.children.length - a.parents.length - a.children.length || a.id - b.id)
    .slice(0, 12).map((n) => el("li", {}, nameButton(n), el("span", { class: "muted" },
      n.parents.length + " in, " + n.children.length + " out")))));
  return parts;
}

function showDetail(node) {
  const detail = $("detail");
  detail.classList.toggle("full", Boolean(node));
  if (!node) {
    showNumbers = null;
    detail.replaceChildren(...overview());
    return;
  }
  const blanket = blanketOf(node);
  detail.replaceChildren(...[el("h3", {}, node.name),
    numberMonitor(node), refusal && refusal !== "Computing …" ? null : monitor(node, 16),
    relatives("Parents", "parent-text", node.parents.map((a) => [nodes[a.from], a])),
    relatives("Children", "child-text", node.children.map((a) => [nodes[a.to], a])),
    relatives("Other parents of its children", "spouse-text", blanket.spouses.map((n) => [n, null])),
    showRegressions(node), isNumber(node) ? null : showTable(node), showStates(node)].filter(Boolean));
  detail.scrollTop = 0;
  detail.querySelectorAll(".scroll").forEach(watchEdge);
}

function startDetail() {
  onAnswer(() => { if (!picked) showDetail(null); else if (showNumbers) showNumbers(); });
  showDetail(null);
}
