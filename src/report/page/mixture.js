// SPDX-License-Identifier: MIT
// mixture.js -- a network of states and numbers, given some of them. Plain functions,
// without the page.
//
// No number is a parent of states. So, given the states that are parents of numbers, the
// numbers are a joint normal, and independent of the other states: for each configuration
// of these, a junction tree of the states gives its probability and the other states, and
// normal.js the numbers. What is asked for is the average (Lauritzen 1992, without its
// strong junction tree: the time grows with the number of configurations).
//
// network: { states: [count; 0: a number], parents: [[u, ...], ...], tables: [...] },
// where a table has a row for each configuration of the parents with states, the last
// changing fastest: probabilities, or [intercept, c, ..., sd] with a coefficient for each
// parent that is a number. seen: Map of v to { states: [s, ...], isDo } or { value, isDo }.

const numbersIn = (network) => [...network.states.keys()].filter((v) => !network.states[v]);

// The states that are parents of numbers.
const decidingStates = (network) => [...new Set(numbersIn(network).flatMap((v) =>
  network.parents[v].filter((u) => network.states[u])))].sort((a, b) => a - b);

const configurationCount = (network) => decidingStates(network).reduce((all, v) => all * network.states[v], 1);

// { tree, place: where a variable is in it } of the states; null: too large. Made once.
function treeOfStates(network) {
  if (network.ofStates !== undefined) return network.ofStates;
  const kept = [...network.states.keys()].filter((v) => network.states[v]), place = new Map(kept.map((v, i) => [v, i]));
  const tree = compileNetwork({ cards: kept.map((v) => network.states[v]), tables: kept.map((v) => network.tables[v]),
    parents: kept.map((v) => network.parents[v].map((u) => place.get(u))) });
  network.ofStates = tree && { tree, place };
  return network.ofStates;
}

// The regressions of the numbers in a configuration (Map of v to its state), for normal.js.
function normalOf(network, numbers, state) {
  const place = new Map(numbers.map((v, i) => [v, i]));
  const parents = numbers.map((v) => network.parents[v].filter((u) => place.has(u)));
  const rowOf = (v) => network.parents[v].reduce((row, u) => (place.has(u) ? row : row * network.states[u] + state.get(u)), 0);
  return {
    parents: parents.map((list) => list.map((u) => place.get(u))),
    terms: numbers.map((v, i) => {
      const width = parents[i].length + 2, row = rowOf(v);
      return network.tables[v].slice(row * width, (row + 1) * width);
    }),
  };
}

// The next configuration; false after the last.
function nextState(network, deciding, state) {
  for (let i = deciding.length - 1; i >= 0; i--) {
    const v = deciding[i], s = state.get(v) + 1;
    state.set(v, s < network.states[v] ? s : 0);
    if (s < network.states[v]) return true;
  }
  return false;
}

// All configurations that are possible: { ln, p: of each state, mean, sd: of each number }.
function mixtureParts(network, seen, numbers) {
  const deciding = decidingStates(network), { tree, place } = treeOfStates(network), parts = [];
  const known = new Map(numbers.map((v, i) => [i, seen.get(v)]).filter(([, item]) => item));
  const evidence = new Map([...seen].filter(([v]) => place.has(v)).map(([v, item]) => [place.get(v), item]));
  const state = new Map(deciding.map((v) => [v, 0]));
  do {
    if (deciding.some((v) => seen.has(v) && !seen.get(v).states.includes(state.get(v)))) continue;
    const all = new Map([...deciding.map((v) => [place.get(v), { states: [state.get(v)],
      isDo: Boolean(seen.has(v) && seen.get(v).isDo) }]), ...[...evidence].filter(([i]) => !deciding.some((v) => place.get(v) === i))]);
    const { log, marginals } = place.size ? marginalsOf(tree, all) : { log: 0, marginals: [] };
    const normal = marginals && conditionNormal(normalOf(network, numbers, state), known);
    if (normal) parts.push({ ...normal, ln: normal.ln + log, p: marginals });
  } while (nextState(network, deciding, state));
  return parts;
}

// { ln: of the evidence, p: [[probability of each state], ...], mean, sd }, by variable.
// Null: impossible.
function askMixture(network, seen) {
  const numbers = numbersIn(network), parts = mixtureParts(network, seen, numbers), { place } = treeOfStates(network);
  if (!parts.length) return null;
  const most = Math.max(...parts.map((part) => part.ln));
  const weight = parts.map((part) => Math.exp(part.ln - most)), sum = weight.reduce((a, b) => a + b, 0);
  const average = (f) => parts.reduce((all, part, i) => all + weight[i] * f(part), 0) / sum;
  const mean = [], sd = [];
  numbers.forEach((v, i) => {
    mean[v] = average((part) => part.mean[i]);
    sd[v] = Math.sqrt(average((part) => part.sd[i] ** 2 + (part.mean[i] - mean[v]) ** 2));
  });
  const p = network.states.map((k, v) => Array.from({ length: k }, (_, s) => average((part) => part.p[place.get(v)][s])));
  return { ln: most + Math.log(sum), p, mean, sd };
}
