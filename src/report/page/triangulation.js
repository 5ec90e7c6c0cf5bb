// SPDX-License-Identifier: MIT
// triangulation.js -- an elimination order of a network's moral graph, and its
// cliques.
//
// Greedy: by fewest fill-in arcs, by smallest clique table, and by fill-in arcs that
// count as many times as their ends have states together; ties by size, or by fill-in.
// The order whose cliques hold fewest numbers wins (Kjaerulff 1990). Where that are
// many, more orders are tried, with costs that differ at random. A clique of more than
// `limit` numbers is not considered, which also bounds the time: no variable with many
// neighbours is looked at.
//
// A network is { cards: [states], parents: [[variable ...]], tables: [Float64Array] },
// tables as in network.h: the first parent slowest, the child fastest.

// Neighbours of each variable in the moral graph.
function moralGraph(network) {
  const near = network.cards.map(() => new Set());
  network.parents.forEach((parents, v) => {
    const family = [...parents, v];
    family.forEach((a) => family.forEach((b) => { if (a !== b) near[a].add(b); }));
  });
  return near;
}

// Numbers in the table of v and its neighbours.
function cliqueSize(v, near, cards, limit) {
  let size = cards[v];
  for (const u of near[v]) {
    size *= cards[u];
    if (size > limit) return Infinity;
  }
  return size;
}

// Pairs of neighbours of v that are not adjacent; each counts weight[a] * weight[b].
function fillIn(v, near, weight) {
  const list = [...near[v]];
  let fill = 0;
  for (let i = 0; i < list.length; i++)
    for (let j = 0; j < i; j++) if (!near[list[i]].has(list[j])) fill += weight[list[i]] * weight[list[j]];
  return fill;
}

// A heap of [cost, second cost, variable, round], the least first.
function isBefore(a, b) {
  return a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];
}
function pushTo(heap, item) {
  let i = heap.push(item) - 1;
  for (let up; i > 0 && isBefore(item, heap[up = (i - 1) >> 1]); i = up) heap[i] = heap[up];
  heap[i] = item;
}
function popFrom(heap) {
  const top = heap[0], last = heap.pop();
  if (!heap.length) return top;
  let i = 0;
  for (let child; (child = 2 * i + 1) < heap.length; i = child) {
    if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
    if (!isBefore(heap[child], last)) break;
    heap[i] = heap[child];
  }
  heap[i] = last;
  return top;
}

// Joins all of `around`; whether an arc was new.
function makeComplete(around, near) {
  let filled = false;
  for (let i = 0; i < around.length; i++)
    for (let j = 0; j < i; j++)
      if (!near[around[i]].has(around[j])) {
        near[around[i]].add(around[j]);
        near[around[j]].add(around[i]);
        filled = true;
      }
  return filled;
}

// The cliques in the order of elimination, [v, its neighbours then ...]; null: one
// is too large. `rule`: "fill", "size" or "weighted"; noise() is the factor of a cost.
function eliminate(network, limit, rule, noise) {
  const { cards } = network, near = moralGraph(network), n = cards.length;
  const round = new Int32Array(n), heap = [], cliques = [], weight = rule === "weighted" ? cards : cards.map(() => 1);
  const rate = (v) => { // an older entry of v in the heap is passed over
    const size = cliqueSize(v, near, cards, limit);
    const fill = size === Infinity ? Infinity : fillIn(v, near, weight) * noise();
    pushTo(heap, rule === "size" ? [size, fill, v, ++round[v]] : [fill, size, v, ++round[v]]);
  };
  for (let v = 0; v < n; v++) rate(v);
  while (cliques.length < n) {
    const [cost, , v, stamp] = popFrom(heap);
    if (stamp !== round[v]) continue;
    if (cost === Infinity) return null;
    round[v] = -1;
    const around = [...near[v]], touched = new Set(around);
    cliques.push([v, ...around]);
    around.forEach((u) => near[u].delete(v));
    // An arc between two neighbours of w changes the fill-in of w.
    if (makeComplete(around, near)) around.forEach((u) => near[u].forEach((w) => touched.add(w)));
    touched.forEach(rate);
  }
  return cliques;
}

// A junction tree (or forest) of the maximal cliques: [{ vars, parent, separator }],
// parents after their children, parent -1 for a root. Clique i of the elimination
// hangs on the clique of the first of its other variables to be eliminated, and is
// merged with it where one contains the other.
function joinCliques(cliques, n) {
  const step = new Array(n);
  cliques.forEach(([v], i) => { step[v] = i; });
  const made = cliques.map(([v, ...rest]) => ({
    vars: [v, ...rest], parent: rest.length ? Math.min(...rest.map((u) => step[u])) : -1, into: -1,
  }));
  const final = (i) => { while (i >= 0 && made[i].into >= 0) i = made[i].into; return i; };
  // From the last to the first: a parent that is a subset of its child takes its place.
  for (let i = made.length - 1; i >= 0; i--) {
    const p = final(made[i].parent);
    if (p < 0 || made[p].vars.length >= made[i].vars.length) continue;
    const inside = new Set(made[i].vars);
    if (!made[p].vars.every((u) => inside.has(u))) continue;
    made[p].vars = made[i].vars;
    made[i].into = p;
  }
  return orderTree(made, final);
}

function orderTree(made, final) {
  const kept = made.map((_, i) => i).filter((i) => made[i].into < 0);
  const number = new Map(kept.map((i, k) => [i, k]));
  return kept.map((i) => {
    const p = final(made[i].parent);
    const inside = p < 0 ? null : new Set(made[p].vars);
    return { vars: made[i].vars, parent: p < 0 ? -1 : number.get(p),
      separator: p < 0 ? [] : made[i].vars.filter((u) => inside.has(u)) };
  });
}

const numbersOf = (tree, cards) =>
  tree.reduce((sum, c) => sum + c.vars.reduce((size, v) => size * cards[v], 1), 0);

// Factors between 1 and 1.3, the same for the same seed (Park, Miller 1988).
function noiseOf(seed) {
  return () => 1 + 0.3 * ((seed = seed * 48271 % 2147483647) / 2147483647);
}

// More orders, where a query takes longer than these; some, where the first were all too large.
const MANY_NUMBERS = 1000000, TRIES = 16, LAST_TRIES = 4;

// The smallest of the trees and how many numbers it holds; null: all have more than `limit`.
function triangulate(network, limit) {
  let best = null;
  const attempt = (rule, noise) => {
    const cliques = eliminate(network, limit, rule, noise);
    if (!cliques) return;
    const tree = joinCliques(cliques, network.cards.length);
    const numbers = numbersOf(tree, network.cards);
    if (numbers <= limit && (!best || numbers < best.numbers)) best = { tree, numbers };
  };
  ["fill", "size", "weighted"].forEach((rule) => attempt(rule, () => 1));
  for (let seed = 1; seed <= (best ? TRIES : LAST_TRIES) && !(best && best.numbers <= MANY_NUMBERS); seed++)
    attempt(seed % 2 ? "fill" : "weighted", noiseOf(seed));
  return best;
}
