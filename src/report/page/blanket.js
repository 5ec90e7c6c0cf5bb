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
    n.parents.concat(n.children).forEach((a) => { if (a.route) moved.add(a); });
  });
  moved.forEach((a) => { a.route = null; a.element.setAttribute("d", pathOf(a)); });
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

// [left, top, right, bottom] of nodes, with a margin.
function extentOf(near) {
  const left = Math.min(...near.map((n) => n.x - n.width / 2)), top = Math.min(...near.map((n) => n.y - n.height / 2));
  const right = Math.max(...near.map((n) => n.x + n.width / 2)), bottom = Math.max(...near.map((n) => n.y + n.height / 2));
  const pad = 24 + 0.03 * Math.max(right - left, bottom - top);
  return [left - pad, top - pad, right + pad, bottom + pad];
}

const ROW_GAP = 36, LAYER_GAP = 62, NODE_GAP = 30; // between rows of a layer, layers, and nodes

// Puts layers below each other, each in rows that are not too wide, with their middle at 0. The rows.
function placeRows(layers, widest) {
  const rows = [];
  let y = 0;
  const close = (row, width) => {
    const high = Math.max(...row.map((n) => n.height));
    let x = -(width - NODE_GAP) / 2;
    row.forEach((n) => {
      Object.assign(n, { x: x + n.width / 2, y: y + high / 2, row: rows.length });
      x += n.width + NODE_GAP;
    });
    rows.push({ top: y, bottom: y + high, nodes: row });
    y += high + ROW_GAP;
  };
  layers.forEach((list) => {
    let row = [], width = 0;
    list.forEach((n) => {
      if (row.length && width + n.width > widest) {
        close(row, width);
        row = [];
        width = 0;
      }
      row.push(n);
      width += n.width + NODE_GAP;
    });
    close(row, width);
    y += LAYER_GAP - ROW_GAP;
  });
  return rows;
}

// The rows of the nodes at their present sizes; in each layer they stand near what they are linked to.
function arrange(near, layers, inner) {
  const box = drawing.getBoundingClientRect(), area = near.reduce((sum, n) => sum + (n.width + NODE_GAP) * (n.height + ROW_GAP), 0);
  const widest = Math.max(380, Math.min(1150, 1.25 * box.width), Math.sqrt(area * box.width / (box.height || 1)));
  const mean = (n, up) => {
    const ends = inner.filter((a) => (up ? a.to : a.from) === n.id).map((a) => nodes[up ? a.from : a.to].x);
    return ends.length ? ends.reduce((a, b) => a + b, 0) / ends.length : n.x;
  };
  let rows = placeRows(layers, widest);
  for (let sweep = 0; sweep < 4; sweep++) {
    layers.forEach((list) => {
      const key = new Map(list.map((n) => [n, mean(n, sweep % 2 === 0)]));
      list.sort((a, b) => key.get(a) - key.get(b) || a.id - b.id);
    });
    rows = placeRows(layers, widest);
  }
  return rows;
}

// Where an arc to x passes a row: the nearest gap between its boxes, or beside them.
function gapOf({ nodes: row }, x) {
  const ends = row.map((n) => n.x + n.width / 2 + NODE_GAP / 2);
  return [row[0].x - row[0].width / 2 - NODE_GAP / 2, ...ends].reduce((best, gap) => (Math.abs(gap - x) < Math.abs(best - x) ? gap : best));
}

// Each parent has a lane of its own in the gaps.
function routeArcs(inner, rows) {
  const parents = [...new Set(inner.map((a) => nodes[a.from]))].sort((a, b) => a.x - b.x || a.id - b.id);
  const lane = new Map(parents.map((n, i) => [n, (i - (parents.length - 1) / 2) * Math.min(4, (NODE_GAP - 10) / parents.length)]));
  inner.forEach((a) => {
    const u = nodes[a.from], v = nodes[a.to], bends = [];
    rows.slice(u.row + 1, v.row).forEach((row) => {
      const x = gapOf(row, v.x) + lane.get(u);
      bends.push([x, row.top - 2, true], [x, row.bottom + 2, true]);
    });
    a.route = routeOf(u, v, bends, rows[u.row].bottom, rows[v.row].top);
    a.element.setAttribute("d", pathOf(a));
  });
}

// With the bars of the states, if they can be read when all is seen, else with names alone.
function placeAlone(near, inner) {
  const layers = layersOf(near, inner);
  const size = (hasBars) => near.forEach((n) => {
    const lines = wrapped(n.name, n.home.width - 8, "14px").length;
    n.isAway = true;
    n.tall = 1;
    n.width = hasBars ? Math.max(n.home.width, BAR_WIDTH) : n.home.width;
    n.height = hasBars ? HEAD + BAR * Math.min(n.labels.length, BARS) + 6 : HEAD + LINE * (lines - 1);
  });
  let hasBars = !refusal && near.length <= 40;
  size(hasBars);
  let rows = arrange(near, layers, inner);
  const [left, top, right, bottom] = extentOf(near), box = drawing.getBoundingClientRect();
  if (hasBars && isTiny(Math.min(box.width / (right - left), box.height / (bottom - top)))) {
    hasBars = false;
    size(false);
    rows = arrange(near, layers, inner);
  }
  away = near;
  near.forEach((n) => shapeNode(n, hasBars));
  routeArcs(inner, rows);
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
  const box = extentOf(near);
  lookAt(...box, Math.min(700, drawing.getBoundingClientRect().width || 700));
  if (picked && (picked.isAway || nodes.length <= MANY)) lookCloser(picked, picked.hasBars ? LARGE : picked.isAway ? 1 : grown, box);
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
