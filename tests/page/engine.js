// SPDX-License-Identifier: MIT
// engine.js FOLDER [SEED] -- the page's junction tree against brute force and
// against plain variable elimination, on random networks.
//
// FOLDER is src/report/page. Prints the seed of what fails, and exits with 1.
"use strict";
const fs = require("fs");
const path = require("path");

const folder = process.argv[2];
const source = ["triangulation.js", "junction_tree.js", "propagation.js"]
  .map((name) => fs.readFileSync(path.join(folder, name), "utf8")).join("\n");
const engine = new Function('"use strict";' + source +
  "return { compileNetwork, marginalsOf, explanationOf, logProbability, contradictionOf };")();

let seed = 0;
let checked = 0;
function hold(condition, what) {
  checked++;
  if (condition) return;
  console.error("seed " + seed + ": " + what);
  process.exit(1);
}
const isNear = (a, b) => Math.abs(a - b) < 1e-11;

// SplitMix32: the same networks on every machine.
function randomOf(start) {
  let state = start >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 4294967296;
  };
  return { next, below: (n) => Math.floor(next() * n) };
}

// zeros: the share of zeros in the tables; tiny: numbers near 1e-60 as well.
function randomNetwork(random, n, most, zeros, tiny) {
  const cards = [], parents = [], tables = [];
  for (let v = 0; v < n; v++) {
    cards.push(1 + random.below(4) % (random.below(8) ? 4 : 2) + (random.below(10) ? 1 : 0));
    const list = new Set();
    for (let k = random.below(most + 1); k > 0 && v; k--) list.add(random.below(v));
    parents.push([...list].sort((a, b) => a - b));
    const rows = parents[v].reduce((x, u) => x * cards[u], 1);
    const table = new Float64Array(rows * cards[v]);
    for (let j = 0; j < rows; j++) {
      const row = Array.from({ length: cards[v] }, () =>
        (random.next() < zeros ? 0 : tiny && random.below(3) === 0 ? 1e-60 * random.next() : random.next() + 1e-3));
      if (!row.some((x) => x > 1e-3)) row[random.below(cards[v])] = 1;
      const sum = row.reduce((a, b) => a + b, 0);
      row.forEach((x, s) => { table[j * cards[v] + s] = x / sum; });
    }
    tables.push(table);
  }
  return { cards, parents, tables };
}

function randomEvidence(random, network, count) {
  const evidence = new Map();
  for (let i = 0; i < count; i++) {
    const v = random.below(network.cards.length), isDo = random.below(3) === 0;
    const states = [random.below(network.cards[v])];
    const more = random.below(network.cards[v]);
    if (!isDo && random.below(3) === 0 && !states.includes(more)) states.push(more);
    evidence.set(v, { states, isDo });
  }
  return evidence;
}

// ---- brute force ----------------------------------------------------------------

function bruteForce(network, evidence) {
  const { cards, parents, tables } = network, n = cards.length;
  const marginals = cards.map((c) => new Float64Array(c)), states = new Array(n).fill(0);
  let total = 0, best = 0;
  const visit = (v, p) => {
    if (p === 0) return;
    if (v === n) {
      total += p;
      best = Math.max(best, p);
      states.forEach((s, u) => { marginals[u][s] += p; });
      return;
    }
    const given = evidence.get(v);
    let row = 0;
    parents[v].forEach((u) => { row = row * cards[u] + states[u]; });
    for (let s = 0; s < cards[v]; s++) {
      if (given && !given.states.includes(s)) continue;
      states[v] = s;
      visit(v + 1, given && given.isDo ? p : p * tables[v][row * cards[v] + s]);
    }
  };
  visit(0, 1);
  return { total, best, marginals: marginals.map((m) => m.map((x) => x / total)) };
}

function jointOf(network, evidence, states) {
  return network.cards.reduce((p, card, v) => {
    const given = evidence.get(v);
    if (given && !given.states.includes(states[v])) return 0;
    if (given && given.isDo) return p;
    const row = network.parents[v].reduce((r, u) => r * network.cards[u] + states[u], 0);
    return p * network.tables[v][row * card + states[v]];
  }, 1);
}

function compare(network, evidence) {
  const tree = engine.compileNetwork(network);
  const right = bruteForce(network, evidence), { log, marginals } = engine.marginalsOf(tree, evidence);
  hold(isNear(Math.exp(log), right.total), "probability " + Math.exp(log) + " is " + right.total);
  hold(isNear(Math.exp(engine.logProbability(tree, evidence)), right.total), "probability alone");
  const best = engine.explanationOf(tree, evidence);
  if (right.total === 0) {
    hold(marginals === null && best.states === null && log === -Infinity, "impossible evidence");
    checkContradiction(network, tree, evidence);
    return;
  }
  right.marginals.forEach((m, v) => m.forEach((p, s) =>
    hold(isNear(p, marginals[v][s]), "P(" + v + "=" + s + ") = " + marginals[v][s] + " is " + p)));
  hold(Math.abs(Math.exp(best.log) / right.best - 1) < 1e-10, "the best has " + Math.exp(best.log) + ", not " + right.best);
  hold(Math.abs(jointOf(network, evidence, best.states) / right.best - 1) < 1e-10, "the explanation is not the best");
}

// Impossible, and possible without any one of its observations.
function checkContradiction(network, tree, evidence) {
  const part = engine.contradictionOf(tree, evidence);
  hold(bruteForce(network, part).total === 0, "the contradiction is possible");
  part.forEach((item, v) => {
    if (item.isDo) return;
    const rest = new Map(part);
    rest.delete(v);
    hold(bruteForce(network, rest).total > 0, "the contradiction is not irreducible");
  });
}

// ---- larger networks: variable elimination -------------------------------------

// Product and sum over maps from states to numbers: slow and plain.
function eliminateAll(network, evidence, target) {
  const { cards, parents, tables } = network;
  let factors = cards.map((_, v) => {
    const given = evidence.get(v), vars = given && given.isDo ? [v] : [...parents[v], v];
    const size = vars.reduce((x, u) => x * cards[u], 1), values = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const s = i % cards[v];
      values[i] = given && !given.states.includes(s) ? 0 : given && given.isDo ? 1 : tables[v][i];
    }
    return { vars, values };
  });
  const join = (list, drop) => {
    const vars = [...new Set(list.flatMap((f) => f.vars))], size = vars.reduce((x, u) => x * cards[u], 1);
    const rest = vars.filter((u) => u !== drop), out = new Float64Array(rest.reduce((x, u) => x * cards[u], 1));
    const state = {};
    for (let i = 0; i < size; i++) {
      let k = i;
      for (let j = vars.length - 1; j >= 0; j--) {
        state[vars[j]] = k % cards[vars[j]];
        k = Math.floor(k / cards[vars[j]]);
      }
      const at = (set) => set.reduce((x, u) => x * cards[u] + state[u], 0);
      out[at(rest)] += list.reduce((p, f) => p * f.values[at(f.vars)], 1);
    }
    return { vars: rest, values: out };
  };
  for (let v = cards.length - 1; v >= 0; v--) {
    if (v === target) continue;
    const mine = factors.filter((f) => f.vars.includes(v));
    factors = factors.filter((f) => !f.vars.includes(v)).concat(join(mine, v));
  }
  return join(factors, -1).values;
}

// If the first tree is too large, orders at random can find a smaller one.
let smaller = 0;
function compareLarger(random) {
  const network = randomNetwork(random, 30, 2, 0.1, false), evidence = randomEvidence(random, network, 4);
  const tree = engine.compileNetwork(network), other = engine.compileNetwork(network, tree.numbers - 1);
  if (other) {
    hold(other.numbers < tree.numbers, "a limit that is not kept");
    smaller++;
  }
  const { log, marginals } = engine.marginalsOf(other || tree, evidence);
  for (let k = 0; k < 3; k++) {
    const v = random.below(network.cards.length), list = eliminateAll(network, evidence, v);
    const total = list.reduce((a, b) => a + b, 0);
    hold(Math.abs(Math.exp(log) - total) < 1e-11, "elimination gives " + total + ", not " + Math.exp(log));
    if (total > 0)
      list.forEach((x, s) => hold(isNear(x / total, marginals[v][s]), "P(" + v + "=" + s + ")"));
  }
}

// ---- what plain numbers cannot hold ---------------------------------------------

// One class and 2,000 observations: the first half says no by a factor of 1e1400, the
// second half says yes by the same. The answer is the prior.
function checkRange() {
  const n = 2001, cards = new Array(n).fill(2);
  const parents = cards.map((_, v) => (v ? [0] : []));
  const tables = cards.map((_, v) => Float64Array.from(!v ? [0.3, 0.7] :
    v <= 1000 ? [0.04, 0.96, 0.8, 0.2] : [0.8, 0.2, 0.04, 0.96]));
  const evidence = new Map();
  for (let v = 1; v < n; v++) evidence.set(v, { states: [0], isDo: false });
  const tree = engine.compileNetwork({ cards, parents, tables });
  const { log, marginals } = engine.marginalsOf(tree, evidence);
  hold(Math.abs(marginals[0][0] - 0.3) < 1e-9, "underflow: " + marginals[0][0]);
  hold(Math.abs(log - 1000 * (Math.log(0.04) + Math.log(0.8))) < 1e-6, "underflow: log " + log);
  hold(engine.explanationOf(tree, evidence).states[0] === 1, "underflow: the explanation");
}

// Three variables, each a parent of all later ones, which are nearly never 0: the product
// of their tables is 1e-360, less than any double. The first query keeps the products, the second
// uses them.
function checkSmallProducts() {
  const cards = new Array(3).fill(2), parents = cards.map((_, v) => cards.slice(0, v).map((__, u) => u));
  const tables = parents.map((list, v) => Float64Array.from({ length: 2 << v }, (_, i) => {
    const first = v && i >> v, p = v ? (first + 1) * 1e-180 : 0.5; // of state 0
    return i % 2 ? 1 - p : p;
  }));
  const tree = engine.compileNetwork({ cards, parents, tables });
  const evidence = new Map([1, 2].map((v) => [v, { states: [0], isDo: false }]));
  for (let k = 0; k < 2; k++) {
    const { log, marginals } = engine.marginalsOf(tree, evidence);
    hold(marginals && Math.abs(marginals[0][0] - 1 / 5) < 1e-12, "small products, query " + k);
    hold(Math.abs(log - Math.log(2.5) - 360 * Math.log(0.1)) < 1e-9, "small products: log " + log);
  }
}

// 25 binary causes of one variable: more than the limit, and said so.
function checkLimit() {
  const cards = new Array(26).fill(2);
  const parents = cards.map((_, v) => (v < 25 ? [] : cards.slice(0, 25).map((__, u) => u)));
  hold(engine.compileNetwork({ cards, parents, tables: [] }) === null, "a clique of 2^26 numbers");
}

const first = Number(process.argv[3] || 1);
for (seed = first; seed < first + 600; seed++) {
  const random = randomOf(seed);
  const network = randomNetwork(random, 1 + random.below(8), 4, [0, 0.2, 0.5][seed % 3], seed % 7 === 0);
  for (let k = 0; k < 4; k++) compare(network, randomEvidence(random, network, random.below(4)));
}
for (seed = first; seed < first + 40; seed++) compareLarger(randomOf(seed));
hold(smaller > 0, "no order at random is better");
checkRange();
checkSmallProducts();
checkLimit();
console.log(checked + " checks passed");
