// SPDX-License-Identifier: MIT
// blanket.js -- the selected variable: its Markov blanket is marked in the drawing, or
// drawn alone, in layers and with the bars of its states; search by name.

let picked = null;
let away = []; // nodes that stand elsewhere than in the whole drawing

function mark(node, role) {
  if (node.role) node.element.classList.remove(node.role);
  node.role = role;
  if (role) node.element.classList.add(role);
}

function goHome() {
  const moved = new Set();
  away.forEach((n) => {
    Object.assign(n, n.home);
    n.isAway = false;
    n.tall = 1;
    shapeNode(n, story.bars > 0);
    n.parents.concat(n.children).forEach((a) => { if (a.straight) moved.add(a); });
  });
  moved.forEach((a) => { a.straight = false; a.element.setAttribute("d", pathOf(a)); });
  away = [];
}

// Layers by the longest path from above; a node with only children here is
// placed just above the first of them. `inner` are arcs between nodes of `near`.
function layersOf(near, inner) {
  const layer = new Map(near.map((n) => [n, 0]));
  for (let again = true; again;) {
    again = false;
    inner.forEach((a) => {
      const u = nodes[a.from], v = nodes[a.to];
      if (layer.get(v) > layer.get(u)) return;
      layer.set(v, layer.get(u) + 1);
      again = true;
    });
  }
  near.forEach((n) => {
    const below = inner.filter((a) => a.from === n.id).map((a) => layer.get(nodes[a.to]));
    if (below.length && !inner.some((a) => a.to === n.id)) layer.set(n, Math.min(...below) - 1);
  });
  const layers = [];
  near.forEach((n) => (layers[layer.get(n)] = layers[layer.get(n)] || []).push(n));
  return layers.filter(Boolean);
}

// A layer from y on, in rows that are not too wide, each with its middle at 0. Where
// it ends.
function placeRows(list, y, widest) {
  const gap = 30;
  let row = [], width = 0;
  const close = () => {
    const high = Math.max(...row.map((n) => n.height));
    let x = -(width - gap) / 2;
    row.forEach((n) => { n.x = x + n.width / 2; n.y = y + high / 2; x += n.width + gap; });
    row = [];
    width = 0;
    y += high + 28;
  };
  list.forEach((n) => {
    if (row.length && width + n.width > widest) close();
    row.push(n);
    width += n.width + gap;
  });
  close();
  return y - 28;
}

function placeAlone(near, inner) {
  const layers = layersOf(near, inner), canShow = !refusal && near.length <= 40;
  const widest = Math.min(1150, Math.max(380, 1.25 * drawing.getBoundingClientRect().width));
  near.forEach((n) => {
    n.isAway = true;
    n.tall = 1;
    if (!canShow) return;
    n.width = Math.max(n.home.width, BAR_WIDTH);
    n.height = HEAD + BAR * Math.min(n.labels.length, BARS) + 6;
  });
  const place = () => layers.reduce((y, list) => placeRows(list, y, widest) + 62, 0);
  const mean = (n, up) => {
    const ends = inner.filter((a) => (up ? a.to : a.from) === n.id).map((a) => nodes[up ? a.from : a.to].x);
    return ends.length ? ends.reduce((a, b) => a + b, 0) / ends.length : n.x;
  };
  place();
  for (let sweep = 0; sweep < 4; sweep++) {
    layers.forEach((list) => {
      const key = new Map(list.map((n) => [n, mean(n, sweep % 2 === 0)]));
      list.sort((a, b) => key.get(a) - key.get(b) || a.id - b.id);
    });
    place();
  }
  away = near;
  near.forEach((n) => shapeNode(n, canShow));
  inner.forEach((a) => { a.straight = true; a.element.setAttribute("d", pathOf(a)); });
}

function markBlanket(node, blanket) {
  mark(node, "here");
  blanket.parents.forEach((n) => mark(n, "parent"));
  blanket.children.forEach((n) => mark(n, "child"));
  blanket.spouses.forEach((n) => mark(n, "spouse"));
  node.parents.forEach((a) => a.element.classList.add("in"));
  node.children.forEach((a) => {
    a.element.classList.add("out");
    nodes[a.to].parents.forEach((b) => { if (b !== a) b.element.classList.add("side"); });
  });
}

function lookAtNodes(near) {
  const left = Math.min(...near.map((n) => n.x - n.width / 2)), top = Math.min(...near.map((n) => n.y - n.height / 2));
  const right = Math.max(...near.map((n) => n.x + n.width / 2)), bottom = Math.max(...near.map((n) => n.y + n.height / 2));
  const pad = 24 + 0.03 * Math.max(right - left, bottom - top);
  lookAt(left - pad, top - pad, right + pad, bottom + pad, Math.min(700, drawing.getBoundingClientRect().width || 700));
}

function pick(node, move) {
  const wasAlone = away.length > 0;
  picked = node;
  goHome();
  nodes.forEach((n) => { if (n.role) mark(n, null); });
  arcs.forEach((a) => a.element.classList.remove("in", "out", "side"));
  drawing.classList.toggle("picked", Boolean(node));
  if (node) {
    const blanket = blanketOf(node);
    markBlanket(node, blanket);
    const near = [node, ...blanket.parents, ...blanket.children, ...blanket.spouses];
    near.forEach((n) => { if (n.element.nextSibling) n.element.parentNode.append(n.element); }); // on top
    const alone = $("only").checked;
    if (alone)
      placeAlone(near, [...new Set(node.parents.concat(node.children, ...blanket.children.map((n) => n.parents)))]);
    if (alone || wasAlone || (move && (nodes.length > 60 || !isWhole()))) lookAtNodes(near);
  } else if (wasAlone) openView();
  drawing.classList.toggle("only", away.length > 0);
  look(view, fitted);
  showDetail(node);
}

// ---- search, weak arcs ----------------------------------------------------------

function find(text, submitted) {
  const word = text.trim().toLowerCase();
  const exact = nodes.find((n) => n.name.toLowerCase() === word);
  const some = word ? nodes.filter((n) => n.name.toLowerCase().includes(word)) : [];
  if (exact) pick(exact, true);
  else if (submitted && some.length) pick(some[0], true);
  $("found").textContent = !word ? "" : exact && some.length < 2 ? "" :
    some.length ? count(some.length, "variable") + (some.length === 1 ? " has" : " have") + " this in the name: " +
      some.slice(0, 8).map((n) => n.name).join(", ") + (some.length > 8 ? ", …" : "") : "No variable has this in its name.";
}

// The slider goes by the ranks of the arcs, not by their values: of these few
// are large.
function hideWeak() {
  const known = arcs.filter((a) => a.lost !== null).map((a) => a.lost).sort((x, y) => x - y);
  const share = $("least").value / 100;
  const least = share && known.length ? known[Math.min(known.length - 1, Math.floor(share * known.length))] : null;
  arcs.forEach((a) => a.element.classList.toggle("weak", least !== null && a.lost !== null && a.lost < least));
  $("least-is").textContent = least === null ? "all" : number(least, least < 10 ? 2 : 0);
  if (!known.length) $("least").closest("label").hidden = true;
}

function listenToSearch() {
  $("clear").addEventListener("click", () => pick(null));
  $("only").addEventListener("change", () => { if (picked) pick(picked, true); });
  $("least").addEventListener("input", hideWeak);
  $("find").addEventListener("submit", (event) => {
    event.preventDefault();
    find($("search").value, true);
  });
  $("search").addEventListener("input", () => find($("search").value, false));
}
