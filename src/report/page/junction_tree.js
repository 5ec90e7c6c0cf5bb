// SPDX-License-Identifier: MIT
// junction_tree.js -- a network compiled for queries.
//
// Each table is assigned to the smallest clique that contains its family. An index
// of a clique's table is turned into one of a smaller table (a separator, a family, a
// single variable) by two short lists of offsets, for the upper and the lower half of
// the clique's variables: small = outer[i] + inner[j] for big = i * inner.length + j.
// They take the square root of the clique's size.

// Most numbers that the cliques may hold: 320 MB, and some seconds for a query.
const MOST_NUMBERS = 40000000;

// The offsets of a small table over `to` (which `vars` contains), last fastest.
function offsetsOf(vars, to, cards) {
  const stride = new Map();
  for (let i = to.length - 1, step = 1; i >= 0; step *= cards[to[i]], i--) stride.set(to[i], step);
  const list = (part) => part.reduce((offsets, v) => {
    const next = new Int32Array(offsets.length * cards[v]), step = stride.get(v) || 0;
    for (let i = 0, k = 0; i < offsets.length; i++)
      for (let s = 0; s < cards[v]; s++) next[k++] = offsets[i] + s * step;
    return next;
  }, new Int32Array(1));
  let half = 0, size = 1;
  const all = vars.reduce((x, v) => x * cards[v], 1);
  while (half < vars.length && size * size < all) size *= cards[vars[half++]];
  return { outer: list(vars.slice(0, half)), inner: list(vars.slice(half)) };
}

// The tree ready for queries; null: its cliques would hold more than MOST_NUMBERS.
function compileNetwork(network, limit) {
  const { cards } = network;
  const found = triangulate(network, limit || MOST_NUMBERS);
  if (!found) return null;
  const cliques = found.tree.map(({ vars, parent, separator }) => ({
    vars, parent, separator,
    size: vars.reduce((x, v) => x * cards[v], 1),
    separatorSize: separator.reduce((x, v) => x * cards[v], 1),
    up: offsetsOf(vars, separator, cards), // from this clique to the separator
    down: parent < 0 ? null : offsetsOf(found.tree[parent].vars, separator, cards),
    families: [], // [variable, offsets]
  }));
  const bySize = cliques.map((_, i) => i).sort((a, b) => cliques[a].size - cliques[b].size || a - b);
  const holders = cards.map(() => []); // cliques with a variable, smallest first
  bySize.forEach((i) => cliques[i].vars.forEach((v) => holders[v].push(i)));
  const home = cards.map((_, v) => ({ clique: holders[v][0],
    offsets: offsetsOf(cliques[holders[v][0]].vars, [v], cards) }));
  network.parents.forEach((parents, v) => {
    const family = [...parents, v];
    const i = holders[v].find((c) => parents.every((u) => cliques[c].vars.includes(u)));
    cliques[i].families.push([v, offsetsOf(cliques[i].vars, family, cards)]);
  });
  return { network, cliques, home, numbers: found.numbers };
}
