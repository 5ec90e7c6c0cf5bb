// SPDX-License-Identifier: MIT
// normal.js -- the joint normal of a network of numbers, and what it becomes when some
// are known or set. Plain functions, without the page.
//
// network: { parents: [[u, ...], ...], terms: [[intercept, c, ..., sd], ...] }, a
// coefficient for each parent. seen: Map of v to { value, isDo }.

// Parents first.
function orderOf(parents) {
  const order = [], done = new Set();
  const visit = (v) => {
    if (done.has(v)) return;
    done.add(v);
    parents[v].forEach(visit);
    order.push(v);
  };
  parents.forEach((_, v) => visit(v));
  return order;
}

// { mean, cov }: cov(x, y) of x = a + sum c p + noise is sum c cov(p, y). What is set has
// no parents and no noise.
function jointNormal(network, seen) {
  const n = network.parents.length, mean = new Array(n).fill(0);
  const cov = Array.from({ length: n }, () => new Float64Array(n));
  const before = [];
  orderOf(network.parents).forEach((v) => {
    const item = seen.get(v), terms = network.terms[v];
    const parents = item && item.isDo ? [] : network.parents[v];
    mean[v] = item && item.isDo ? item.value : terms[0];
    parents.forEach((u, i) => { mean[v] += terms[i + 1] * mean[u]; });
    before.forEach((w) => {
      let sum = 0;
      parents.forEach((u, i) => { sum += terms[i + 1] * cov[u][w]; });
      cov[v][w] = cov[w][v] = sum;
    });
    const sd = item && item.isDo ? 0 : terms[terms.length - 1];
    cov[v][v] = sd * sd;
    parents.forEach((u, i) => { cov[v][v] += terms[i + 1] * cov[v][u]; });
    before.push(v);
  });
  return { mean, cov };
}

// Conditions on what is seen, one number after the other; ln is of its density. Null:
// impossible.
function conditionNormal(network, seen) {
  const { mean, cov } = jointNormal(network, seen), n = mean.length;
  const start = cov.map((row, v) => row[v]);
  let ln = 0;
  for (const [e, item] of seen) {
    if (item.isDo) continue;
    const variance = cov[e][e], off = item.value - mean[e];
    if (!(variance > 1e-11 * start[e])) { // it follows from others
      if (Math.abs(off) > 1e-6 * (Math.abs(item.value) + Math.abs(mean[e]))) return null;
      continue;
    }
    ln -= 0.5 * (off * off / variance + Math.log(2 * Math.PI * variance));
    const gain = cov.map((row) => row[e] / variance), row = cov[e].slice();
    for (let v = 0; v < n; v++) {
      mean[v] += gain[v] * off;
      for (let u = 0; u < n; u++) cov[v][u] -= gain[v] * row[u];
    }
    mean[e] = item.value;
    for (let v = 0; v < n; v++) cov[e][v] = cov[v][e] = 0;
  }
  return { ln, mean, sd: cov.map((r, v) => (r[v] > 1e-11 * start[v] ? Math.sqrt(r[v]) : 0)) };
}
