// SPDX-License-Identifier: MIT
// tables.js -- the tables below the drawing: arcs, columns of the data, rules.

function showArcs() {
  const columns = [
    ["From", false, (a) => nameButton(nodes[a.from]), (a) => nodes[a.from].name.toLowerCase()],
    ["To", false, (a) => nameButton(nodes[a.to]), (a) => nodes[a.to].name.toLowerCase()],
    ...(arcs.some((a) => a.lost !== null) ? [["Score lost", true, (a) => number(a.lost, 3), (a) => a.lost]] : []),
    ["Direction", false, (a) => (a.compelled ? "compelled" : "reversible"), (a) => (a.compelled ? 0 : 1)],
  ];
  if (hasSupport)
    columns.push(["In resamples", true, (a) => number(a.strength, 3), (a) => a.strength],
      ["In this direction", true, (a) => number(a.direction, 3), (a) => a.direction]);
  const order = arcs.slice().sort((a, b) => (b.lost === null ? -Infinity : b.lost) - (a.lost === null ? -Infinity : a.lost) || a.id - b.id);
  const compelled = arcs.filter((a) => a.compelled).length;
  const rules = story.rules || [], ignored = rules.filter((r) => !r[4]).length;
  $("strengths-note").textContent = (columns.length > 3 ? "Score lost if the arc is removed and everything else stays. " : "") +
    "Compelled arcs (" + compelled + ") point this way in every network with the same independences" +
    (numberCount && numberCount < nodes.length ? " in which no number is a parent of states" : "") +
    (rules.length > ignored ? " that obeys the rules on arcs, tiers and orders" : "") + "; the others (" +
    (arcs.length - compelled) + ") can be reversed: data alone cannot tell their direction." +
    (ignored ? " This ignores " + count(ignored, "rule") + " that concern" + (ignored > 1 ? "" : "s") +
    " more than arcs, tiers and orders." : "");
  $("arc-table").classList.toggle("support", hasSupport); // six columns: a phone has room for five
  $("arc-table").append(arcs.length ? longTable(columns, order, 15) : el("p", {}, "None."));
}

function showData() {
  const table = story.table;
  if (!isOfRun) {
    $("data").remove();
    return;
  }
  if (!table) {
    $("data-note").textContent = "The network was learned from a score file; the table is not available.";
    $("column-table").remove();
    return;
  }
  const missing = table.columns.reduce((a, c) => a + c[0], 0);
  $("data-note").textContent = count(table.rows, "row") +
    (table.weight !== table.rows ? " with a total weight of " + number(table.weight, 0) : "") + ", " +
    count(nodes.length, "column") + ". " + (missing ? count(missing, "value") + " missing as read" +
    (table.dropped ? "; " + count(table.dropped, "row") + " with missing values " + (table.dropped === 1 ? "was" : "were") +
    " left out" : "") + "." : "No value is missing.");
  const share = (n) => {
    const counts = table.columns[n.id][1], total = counts.reduce((a, b) => a + b, 0) || 1;
    return el("div", { class: "share" }, ...counts.slice(0, 60).map((c, s) =>
      el("span", { style: "flex-grow:" + (c / total).toFixed(5), title: n.labels[s] + ": " + number(c, 0) })));
  };
  $("column-table").append(longTable([
    ["Variable", false, nameButton, (n) => n.name.toLowerCase()],
    ["States", true, (n) => (isNumber(n) ? "–" : number(n.labels.length, 0)), (n) => n.labels.length],
    ["Missing", true, (n) => number(table.columns[n.id][0], 0), (n) => table.columns[n.id][0]],
    ["Labels", false, (n) => (isNumber(n) ? "numbers" : n.labels.slice(0, 6).join(", ") + (n.labels.length > 6 ? ", …" : ""))],
    ["How often", false, share],
  ], nodes, 20));
}

function showRules() {
  const rules = story.rules || [];
  if (!isOfRun) {
    $("rules").remove();
    return;
  }
  if (!rules.length) {
    $("rule-table").append(el("p", { class: "muted" }, "None."));
    return;
  }
  const met = rules.filter((r) => r[2]).length;
  $("rule-table").append(
    el("p", { class: "muted" }, count(rules.length, "rule") + ", " + (met === rules.length ? "all met" : met + " met") +
      ". The finished graph was checked against each by code that shares nothing with the search."),
    longTable([
      ["", false, (r) => el("span", { class: r[2] ? "yes" : "no" }, r[2] ? "✓ met" : "✗ not met")],
      ["Rule", false, (r) => el("code", {}, r[1])],
      ["From", false, (r) => r[0] || "command line"],
      ["", false, (r) => (r[3] ? "the probabilities were fitted under it" : "")],
    ], rules, 40));
}
