// SPDX-License-Identifier: MIT
// mixture.js -- a network of states and numbers, given some of them: a mixture of joint
// normals, one for each configuration of the states. Plain functions, without the page.
//
// network: { states: [count; 0: a number], parents: [[u, ...], ...], tables: [...] },
// where a table has a row for each configuration of the parents with states, the last
// changing fastest: probabilities, or [intercept, c, ..., sd] with a coefficient for each
// parent that is a number. seen: Map of v to { state, isDo } or { value, isDo }.

// Configurations of the states that are not known.
function configurationCount(network, seen) {
  return network.states.reduce((all, k, v) => (k && !seen.has(v) ? all * k : all), 1);
}

function rowOf(network, v, state, width) {
  let j = 0;
  network.parents[v].forEach((u) => { if (network.states[u]) j = j * network.states[u] + state[u]; });
  return network.tables[v].slice(j * width, (j + 1) * width);
}

// The probability of a configuration, without the factors of what is set.
function shareOf(network, seen, state) {
  return network.states.reduce((p, k, v) => {
    const item = seen.get(v);
    return !k || (item && item.isDo) ? p : p * rowOf(network, v, state, k)[state[v]];
  }, 1);
}

// The numbers in a configuration, for normal.js; `place` is where they are there.
function normalOf(network, state, numbers, place) {
  const parents = numbers.map((v) => network.parents[v].filter((u) => !network.states[u]));
  return {
    parents: parents.map((list) => list.map((u) => place.get(u))),
    terms: numbers.map((v, i) => rowOf(network, v, state, parents[i].length + 2)),
  };
}

// The next configuration; false after the last.
function nextState(network, seen, state) {
  for (let v = state.length - 1; v >= 0; v--) {
    if (!network.states[v] || seen.has(v)) continue;
    if (++state[v] < network.states[v]) return true;
    state[v] = 0;
  }
  return false;
}

// All parts of the mixture that are possible: { ln, state, mean, sd }.
function mixtureParts(network, seen, numbers) {
  const place = new Map(numbers.map((v, i) => [v, i])), parts = [];
  const known = new Map([...seen].filter(([v]) => place.has(v)).map(([v, item]) => [place.get(v), item]));
  const state = network.states.map((k, v) => (k && seen.has(v) ? seen.get(v).state : 0));
  do {
    const share = shareOf(network, seen, state);
    const normal = share > 0 ? conditionNormal(normalOf(network, state, numbers, place), known) : null;
    if (normal) parts.push({ ...normal, ln: normal.ln + Math.log(share), state: state.slice() });
  } while (nextState(network, seen, state));
  return parts;
}

// { ln: of the evidence, p: [[probability of each state], ...], mean, sd }, by variable.
// Null: impossible.
function askMixture(network, seen) {
  const numbers = [...network.states.keys()].filter((v) => !network.states[v]);
  const parts = mixtureParts(network, seen, numbers);
  if (!parts.length) return null;
  const most = Math.max(...parts.map((part) => part.ln));
  const weight = parts.map((part) => Math.exp(part.ln - most)), sum = weight.reduce((a, b) => a + b, 0);
  const average = (f) => parts.reduce((all, part, i) => all + weight[i] * f(part), 0) / sum;
  const mean = [], sd = [];
  numbers.forEach((v, i) => {
    mean[v] = average((part) => part.mean[i]);
    sd[v] = Math.sqrt(average((part) => part.sd[i] ** 2 + (part.mean[i] - mean[v]) ** 2));
  });
  const p = network.states.map((k, v) => Array.from({ length: k }, (_, s) => average((part) => (part.state[v] === s ? 1 : 0))));
  return { ln: most + Math.log(sum), p, mean, sd };
}
