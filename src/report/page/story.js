// SPDX-License-Identifier: MIT
// story.js -- the data of the page (page_data.c says what there is) as nodes and arcs.
// Tables stay texts until they are needed.

const story = JSON.parse(document.getElementById("story").textContent);
const summary = story.summary || {};
const nodes = story.nodes.map(([name, x, y, width, labels, rows, shown, text, height, counts, regression], id) => ({
  id, name, x, y, width, height, labels, rows, shown, text, countText: counts, regression,
  home: { x, y, width, height }, parents: [], children: [],
}));
const arcs = story.arcs.map(([from, to, lost, compelled, bends, strength, direction], id) => ({
  id, from, to, lost, compelled, bends, strength, direction,
}));
arcs.forEach((a) => {
  nodes[a.to].parents.push(a);
  nodes[a.from].children.push(a);
});
const isOfRun = story.begun !== undefined; // else of a network alone
const hasSupport = arcs.some((a) => a.strength !== undefined && a.strength !== null);
const mostLost = arcs.reduce((most, a) => Math.max(most, a.lost || 0), 0);

// Decimals, or '*' and the bytes of doubles in base 64.
function decodeNumbers(text) {
  if (!text.startsWith("*")) return Float64Array.from(text ? text.split(" ") : [], Number);
  const letters = atob(text.slice(1)), raw = new DataView(new ArrayBuffer(letters.length));
  for (let i = 0; i < letters.length; i++) raw.setUint8(i, letters.charCodeAt(i));
  return Float64Array.from({ length: letters.length / 8 }, (_, i) => raw.getFloat64(8 * i, true));
}
const tableOf = (node) => node.table || (node.table = decodeNumbers(node.text));
// The same with rows that sum to 1: files have rounded numbers, and the answers must not
// depend on which of them cancel.
function rowsOf(node) {
  const table = tableOf(node).slice(), states = node.labels.length;
  for (let i = 0; i < table.length; i += states) {
    const row = table.subarray(i, i + states), sum = row.reduce((a, b) => a + b, 0);
    row.forEach((p, s) => { row[s] = p / sum; });
  }
  return table;
}
// What is compiled: see triangulation.js.
const networkOf = () => ({
  cards: nodes.map((n) => n.labels.length),
  parents: nodes.map((n) => n.parents.map((a) => a.from)),
  tables: nodes.map(rowsOf),
});
// Rows of data behind each row of the table; null: not known.
const countsOf = (node) => (node.countText ? node.countText.split(" ").map(Number) : null);

// A variable's Markov blanket: parents, children, and their other parents.
function blanketOf(node) {
  const parents = node.parents.map((a) => nodes[a.from]);
  const children = node.children.map((a) => nodes[a.to]);
  const spouses = new Set();
  children.forEach((c) => c.parents.forEach((a) => {
    if (a.from !== node.id && !parents.includes(nodes[a.from]) && !children.includes(nodes[a.from]))
      spouses.add(nodes[a.from]);
  }));
  return { parents, children, spouses: [...spouses] };
}
