// SPDX-License-Identifier: MIT
// propagation.js -- answers of a compiled network: marginals, the probability of
// the evidence, the most probable explanation.
//
// Hugin propagation (Jensen, Lauritzen, Olesen 1990): messages go up to the roots,
// then down, where each clique is multiplied by the new separator over the old one.
// Messages are scaled to a largest entry of 1, and the logarithms of the scales add up
// to that of the probability. Where a product of numbers above 0 comes near the
// smallest double, all is done again with logarithms, so that nothing is lost.
//
// Evidence is a Map from variables to { states: [index ...], isDo: boolean }: one of
// these states was observed, or (isDo) the variable was set to the first of them, and
// its table is replaced by that indicator (Pearl's do).

// Numbers as they are: product, and whether one was lost to underflow.
const LINEAR = {
  one: 1,
  zero: 0,
  weigh: (x) => x,
  lost: false,
  multiply(big, { outer, inner }, small) {
    const n = inner.length;
    let top = 0;
    for (let i = 0, k = 0; i < outer.length; i++) {
      const from = outer[i];
      for (let j = 0; j < n; j++, k++) {
        const a = big[k];
        if (a === 0) continue;
        const b = small[from + inner[j]], x = a * b;
        if (x < 1e-280 && b !== 0) this.lost = true;
        if (x > top) top = x;
        big[k] = x;
      }
    }
    return top;
  },
  sum(big, { outer, inner }, small) {
    const n = inner.length;
    small.fill(0);
    for (let i = 0, k = 0; i < outer.length; i++)
      for (let j = 0, from = outer[i]; j < n; j++, k++) small[from + inner[j]] += big[k];
  },
  max(big, { outer, inner }, small) {
    const n = inner.length;
    small.fill(0);
    for (let i = 0, k = 0; i < outer.length; i++)
      for (let j = 0, from = outer[i]; j < n; j++, k++) {
        const at = from + inner[j];
        if (big[k] > small[at]) small[at] = big[k];
      }
  },
  // Divides by the largest; its logarithm.
  scale(list) {
    let top = 0;
    for (const x of list) if (x > top) top = x;
    if (top > 0 && top !== 1) for (let i = 0; i < list.length; i++) list[i] /= top;
    return Math.log(top);
  },
  ratio(over, under) {
    for (let i = 0; i < over.length; i++) over[i] = under[i] > 0 ? over[i] / under[i] : 0;
  },
  // Probabilities; `list` is overwritten.
  normalise(list) {
    let sum = 0;
    for (const x of list) sum += x;
    return sum > 0 ? list.map((x) => x / sum) : list;
  },
  total(list) {
    let sum = 0;
    for (const x of list) sum += x;
    return Math.log(sum);
  },
};

// The same with logarithms.
const LOGARITHMS = {
  one: 0,
  zero: -Infinity,
  weigh: Math.log,
  lost: false,
  multiply(big, { outer, inner }, small) {
    const n = inner.length;
    let top = -Infinity;
    for (let i = 0, k = 0; i < outer.length; i++)
      for (let j = 0, from = outer[i]; j < n; j++, k++) {
        const x = big[k] + small[from + inner[j]];
        big[k] = x > -Infinity ? x : -Infinity; // and no NaN
        if (x > top) top = x;
      }
    return top;
  },
  sum(big, offsets, small) {
    const { outer, inner } = offsets, n = inner.length;
    this.max(big, offsets, small);
    const top = small.slice();
    small.fill(0);
    for (let i = 0, k = 0; i < outer.length; i++)
      for (let j = 0, from = outer[i]; j < n; j++, k++) {
        const at = from + inner[j];
        if (big[k] > -Infinity) small[at] += Math.exp(big[k] - top[at]);
      }
    for (let i = 0; i < small.length; i++) small[i] = small[i] > 0 ? Math.log(small[i]) + top[i] : -Infinity;
  },
  max(big, { outer, inner }, small) {
    const n = inner.length;
    small.fill(-Infinity);
    for (let i = 0, k = 0; i < outer.length; i++)
      for (let j = 0, from = outer[i]; j < n; j++, k++) {
        const at = from + inner[j];
        if (big[k] > small[at]) small[at] = big[k];
      }
  },
  scale(list) {
    let top = -Infinity;
    for (const x of list) if (x > top) top = x;
    if (top > -Infinity) for (let i = 0; i < list.length; i++) list[i] -= top;
    return top;
  },
  ratio(over, under) {
    for (let i = 0; i < over.length; i++) over[i] = under[i] > -Infinity ? over[i] - under[i] : -Infinity;
  },
  normalise(list) {
    this.scale(list);
    return LINEAR.normalise(list.map(Math.exp));
  },
  total(list) {
    let top = -Infinity, sum = 0;
    for (const x of list) if (x > top) top = x;
    if (top === -Infinity) return top;
    for (const x of list) sum += Math.exp(x - top);
    return Math.log(sum) + top;
  },
};

const indicator = (card, states, kind) =>
  Float64Array.from({ length: card }, (_, s) => (states.includes(s) ? kind.one : kind.zero));

// The product of the tables of a clique, without those of variables that are set.
function tablesOf(tree, clique, kind, isSet) {
  const { tables } = tree.network, product = new Float64Array(clique.size).fill(kind.one);
  clique.families.forEach(([v, offsets]) => {
    if (!isSet(v)) kind.multiply(product, offsets, kind === LINEAR ? tables[v] : tables[v].map(kind.weigh));
  });
  return product;
}

// Messages to the roots by `how`, "sum" or "max". log: that of the probability of
// the evidence, or of its best completion.
function collect(tree, evidence, kind, how) {
  const { cliques, home, network } = tree;
  const isSet = (v) => evidence.has(v) && evidence.get(v).isDo;
  const work = cliques.map((c) => tablesOf(tree, c, kind, isSet));
  evidence.forEach(({ states }, v) =>
    kind.multiply(work[home[v].clique], home[v].offsets, indicator(network.cards[v], states, kind)));
  const messages = [];
  let log = 0;
  cliques.forEach((c, i) => {
    if (c.parent < 0) {
      const all = { outer: new Int32Array(1), inner: new Int32Array(c.size) }, end = new Float64Array(1);
      kind[how](work[i], all, end);
      log += kind === LINEAR ? Math.log(end[0]) : end[0];
      return;
    }
    const message = new Float64Array(c.separatorSize);
    kind[how](work[i], c.up, message);
    log += kind.scale(message);
    const top = kind.multiply(work[c.parent], c.down, message);
    if (kind === LINEAR && top > 0 && top < 1e-100) log += kind.scale(work[c.parent]);
    messages[i] = message;
  });
  return { work, messages, log, kind, how };
}

// From the roots down; then each clique is proportional to its joint marginal.
function distribute(tree, state) {
  const { kind, work, messages } = state;
  for (let i = tree.cliques.length - 1; i >= 0; i--) {
    const c = tree.cliques[i];
    if (c.parent < 0) continue;
    const message = new Float64Array(c.separatorSize);
    kind.sum(work[c.parent], c.down, message);
    kind.scale(message);
    kind.ratio(message, messages[i]);
    kind.multiply(work[i], c.up, message);
    kind.scale(work[i]);
  }
}

// Runs `pass(kind)` with plain numbers, and with logarithms if some were lost.
function withoutLoss(pass) {
  LINEAR.lost = false;
  const answer = pass(LINEAR);
  return LINEAR.lost ? pass(LOGARITHMS) : answer;
}

// The logarithm of the probability of the evidence (given the interventions);
// -Infinity: impossible.
const logProbability = (tree, evidence) =>
  withoutLoss((kind) => collect(tree, evidence, kind, "sum").log);

// { log, marginals: [Float64Array of each variable] }; marginals null: the evidence
// is impossible.
function marginalsOf(tree, evidence) {
  return withoutLoss((kind) => {
    const state = collect(tree, evidence, kind, "sum");
    if (state.log === -Infinity) return { log: state.log, marginals: null };
    distribute(tree, state);
    const marginals = tree.home.map(({ clique, offsets }, v) => {
      const list = new Float64Array(tree.network.cards[v]);
      kind.sum(state.work[clique], offsets, list);
      return kind.normalise(list);
    });
    return { log: state.log, marginals };
  });
}

// The most probable states of all variables, and the logarithm of their joint
// probability with the evidence; of equal ones the first in the order of the cliques.
function explanationOf(tree, evidence) {
  return withoutLoss((kind) => {
    const { work, log } = collect(tree, evidence, kind, "max");
    if (log === -Infinity) return { log, states: null };
    const states = new Array(tree.network.cards.length).fill(-1);
    for (let i = tree.cliques.length - 1; i >= 0; i--) readBest(tree, i, work[i], states, kind);
    return { log, states };
  });
}

// The best entry of a clique that agrees with the states known so far.
function readBest(tree, i, table, states, kind) {
  const { cards } = tree.network, { vars } = tree.cliques[i];
  const free = vars.filter((v) => states[v] < 0);
  const stride = new Map();
  let base = 0;
  for (let k = vars.length - 1, step = 1; k >= 0; step *= cards[vars[k]], k--) {
    stride.set(vars[k], step);
    if (states[vars[k]] >= 0) base += states[vars[k]] * step;
  }
  const digits = free.map(() => 0);
  let best = kind.zero, at = digits.slice();
  for (let index = base; ;) {
    if (table[index] > best) {
      best = table[index];
      at = digits.slice();
    }
    let k = free.length - 1;
    for (; k >= 0; k--) {
      index += stride.get(free[k]);
      if (++digits[k] < cards[free[k]]) break;
      index -= cards[free[k]] * stride.get(free[k]);
      digits[k] = 0;
    }
    if (k < 0) break;
  }
  free.forEach((v, k) => { states[v] = at[k]; });
}

// A part of impossible evidence that is impossible as well, and possible without
// any one of its items: which items contradict each other.
function contradictionOf(tree, evidence) {
  const part = new Map(evidence);
  [...part].forEach(([v, item]) => {
    if (item.isDo) return;
    part.delete(v);
    if (logProbability(tree, part) > -Infinity) part.set(v, item);
  });
  return part;
}
