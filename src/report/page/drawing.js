// SPDX-License-Identifier: MIT
// drawing.js -- nodes and arcs of the drawing. A node is a box with its name, and
// where there is room the states with their bars; other nodes of a drawing that is not
// too large have one thin bar of all states.

const drawing = $("drawing");
// A drawing that is flatter than its panel is stretched: more room for names and arcs.
const panel = drawing.getBoundingClientRect();
const STRETCH = story.size[1] && panel.width ?
  Math.min(1.8, Math.max(1, story.size[0] * panel.height / panel.width / story.size[1])) : 1;
const WIDE = story.size[0], HIGH = story.size[1] * STRETCH;
nodes.forEach((n) => { n.y = n.home.y = n.y * STRETCH; });
arcs.forEach((a) => { a.bends = a.bends.map((x, i) => (i % 2 ? x * STRETCH : x)); });
const MANY = 150; // nodes from which on a drawing is looked at in parts
const HEAD = 30, BAR = 17, BARS = 8, BAR_WIDTH = 184; // as in page_data.c

const WIDTHS = nodes.length <= 24 ? 3.6 : 2.4; // of arcs: by how much they differ
const widthOf = (a) => (a.lost > 0 ? 0.9 + WIDTHS * (Math.log1p(a.lost) / Math.log1p(mostLost)) ** 2 : isOfRun ? 0.9 : 1.4);

// ---- arcs -----------------------------------------------------------------------

const halfOf = (node) => (node.height * (node.tall || 1)) / 2;

// Half of the highest box in the layer at y, where boxes have bars, else 0: between
// such boxes an arc goes straight down, or it would pass behind them.
const halfLayer = (y) => (story.bars > 0 ? nodes.reduce((most, n) =>
  (Math.abs(n.home.y - y) < 1 ? Math.max(most, n.home.height / 2) : most), 0) : 0);

// The points at which an arc bends, from the parent's to the child's.
function bendsOf(a) {
  const points = [];
  for (let i = 0; i < a.bends.length; i += 2) {
    const x = a.bends[i], y = a.bends[i + 1], half = halfLayer(y);
    if (half) points.push([x, y - half, true], [x, y + half, true]);
    else points.push([x, y]);
  }
  return points;
}

// The points of an arc: down from the parent, past higher boxes beside it, through the bends, past those beside the
// child, and into it from above. `down` and `up` are where the layers of the two end and begin.
function routeOf(u, v, bends, down, up) {
  const bottom = u.y + halfOf(u), top = v.y - halfOf(v);
  return [[u.x, bottom], ...(down > bottom + 1 ? [[u.x, down, true]] : []), ...bends,
    ...(up < top - 1 ? [[v.x, up - 7, true]] : []), [v.x, top - 7]];
}

function pathOf(a) {
  const u = nodes[a.from], v = nodes[a.to];
  const points = a.route || routeOf(u, v, bendsOf(a), u.y + halfLayer(u.y), v.y - halfLayer(v.y));
  // Slopes: vertical at both ends, towards the neighbours in between, but not beyond them: no arc bulges.
  const slope = points.map(([x, y, isUpright], i) => {
    if (isUpright) return [0, 12];
    if (i === 0) return [0, (points[1][1] - y) * 0.45];
    if (i === points.length - 1) return [0, (y - points[i - 1][1]) * 0.45];
    const left = x - points[i - 1][0], right = points[i + 1][0] - x, down = (points[i + 1][1] - points[i - 1][1]) / 6;
    return [left * right <= 0 ? 0 : Math.sign(left) * Math.min(Math.abs(left + right) / 6, Math.abs(left), Math.abs(right)), down];
  });
  let d = "M" + points[0].map((x) => Math.round(x)).join(" ");
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i];
    d += "C" + [x0 + slope[i - 1][0], y0 + slope[i - 1][1], x1 - slope[i][0], y1 - slope[i][1], x1, y1]
      .map((x) => Math.round(x)).join(" ");
  }
  return d + "l0 6";
}

function arcText(a) {
  return (a.lost === null ? "" : ", loses " + number(a.lost, 3)) +
    (hasSupport ? ", in " + number(100 * a.strength, 0) + " % of the resamples" : "") +
    (a.compelled ? ", compelled" : ", reversible");
}

function drawArc(a) {
  a.element = svg("path", {
    class: "arc" + (a.compelled ? "" : " reversible"), d: pathOf(a),
    "stroke-width": widthOf(a).toFixed(2), "marker-end": "url(#head)",
  }, svg("title", {}, nodes[a.from].name + " → " + nodes[a.to].name + arcText(a)));
  return a.element;
}

// ---- nodes ----------------------------------------------------------------------

// A row of a state: label, bar, where it was, percent.
function drawState(node, s, y) {
  const left = -node.width / 2 + 9, right = node.width / 2 - 8;
  const from = left + (right - left) * 0.41, length = right - 38 - from;
  const label = shorten(node.labels[s], from - left - 5, "600 12px");
  const bar = svg("rect", { class: "now", x: from, y: y - 5, height: 10, rx: 2 });
  const mark = svg("rect", { class: "was", y: y - 7, height: 14, width: 2 });
  const value = svg("text", { class: "value", x: right, y });
  const row = svg("g", { class: "row", "data-state": s },
    svg("rect", { class: "hit", x: -node.width / 2 + 3, y: y - BAR / 2, width: node.width - 6, height: BAR, rx: 4 }),
    svg("text", { class: "label", x: left, y }, label),
    svg("rect", { class: "track", x: from, y: y - 5, width: length, height: 10, rx: 2 }), bar, mark, value,
    svg("title", {}, node.labels[s] + ": click sets it as evidence, Shift-click by intervention"));
  return () => {
    const { now, was, isGiven, isDo, isBest } = stateOf(node, s);
    row.classList.toggle("given", isGiven && !isDo);
    row.classList.toggle("do", isGiven && isDo);
    row.classList.toggle("best", isBest && given.size > 0);
    bar.style.width = (length * (now || 0)).toFixed(1) + "px";
    mark.setAttribute("x", (from + length * (was || 0) - 1).toFixed(1));
    mark.style.display = given.size && now !== null && was !== null ? "" : "none";
    value.textContent = now === null ? "" : percent(now);
    return row;
  };
}

function drawStates(node) {
  const n = node.labels.length, shown = n > BARS ? BARS - 1 : n;
  const top = -node.height / 2 + HEAD + BAR / 2;
  const group = svg("g", { class: "bars" });
  const rows = [];
  for (let s = 0; s < shown; s++) {
    rows.push(drawState(node, s, top + s * BAR));
    group.append(rows[s]());
  }
  if (shown < n)
    group.append(svg("text", { class: "rest", x: -node.width / 2 + 9, y: top + shown * BAR }, "… and " + (n - shown) + " more"));
  return { group, show: () => rows.forEach((show) => show()) };
}

// One thin bar with a part for every state.
function drawMini(node) {
  const length = node.width - 18, most = Math.min(node.labels.length, 12);
  const parts = Array.from({ length: most }, (_, s) => svg("rect", { class: "part p" + (s % 4), y: HEAD / 2 - 7.5, height: 4 }));
  const group = svg("g", { class: "mini" }, ...parts);
  return { group, show: () => {
    let x = -length / 2;
    parts.forEach((part, s) => {
      const { now } = stateOf(node, s), w = length * (now || 0);
      part.style.x = x.toFixed(1) + "px";
      part.style.width = w.toFixed(1) + "px";
      x += w;
    });
  } };
}

// Puts lines into the text of a name, with their middle at y.
const LINE = 14;
function showLines(text, lines, y, height) {
  text.replaceChildren(...lines.map((line, i) =>
    svg("tspan", { x: 0, y: (y + (i - (lines.length - 1) / 2) * height).toFixed(1) }, line)));
}

// What a node shows at its present size; again whenever that changes.
function shapeNode(node, hasBars) {
  const parts = hasBars ? drawStates(node) : nodes.length <= MANY && node.rows && story.whole ? drawMini(node) : null;
  node.hasBars = hasBars;
  node.box = svg("rect", { class: "box", x: -node.width / 2, y: -node.height / 2, width: node.width, height: node.height, rx: 8 });
  node.nameAt = hasBars ? -node.height / 2 + 16 : parts ? -2 : 0;
  node.label = svg("text", { class: "name" });
  showLines(node.label, [shorten(node.name, node.width - 12, "600 14px")], node.nameAt, LINE);
  node.mini = hasBars || !parts ? null : parts.group;
  node.large = hasBars ? largeName(node) : null;
  node.show = () => {
    const item = given.get(node.id);
    node.element.classList.toggle("given", Boolean(item && !item.isDo));
    node.element.classList.toggle("do", Boolean(item && item.isDo));
    if (parts) parts.show();
  };
  node.element.replaceChildren(svg("title", {}, node.name), node.box, node.label, ...(parts ? [parts.group] : []),
    ...(node.large ? [node.large] : []));
  node.element.classList.toggle("barred", hasBars);
  node.fitted = undefined;
  node.show();
}

// The name alone, as large as the box allows: for drawings seen from afar. In one line if its letters need not be small
// for that.
function largeName(node) {
  const least = 20, room = node.width - 8, most = Math.max(least, Math.min(30, node.height / 2.4));
  const fitting = least * room / widthOfText(node.name, "600 " + least + "px"), isOne = fitting >= Math.min(24, most);
  const size = isOne ? Math.min(most, fitting) : most;
  const text = svg("text", { class: "large", style: "font-size:" + size.toFixed(1) + "px" });
  showLines(text, isOne ? [node.name] : wrapped(node.name, room, "600 " + size.toFixed(1) + "px"), 0, 1.1 * size);
  return text;
}

function nodeLabel(node) {
  const item = given.get(node.id);
  return node.name + ", " + count(node.parents.length, "parent") + ", " + node.children.length +
    (node.children.length === 1 ? " child" : " children") + (item ? ", " + (item.isDo ? "set by intervention to " : "observed: ") +
    valuesOf(node.id, item).join(" or ") : "");
}

function drawNode(node) {
  node.element = svg("g", { class: "node", transform: "translate(" + node.x + " " + node.y + ")",
    "data-name": node.name, role: "button", "aria-label": nodeLabel(node), tabindex: nodes.length <= MANY ? 0 : -1 });
  node.element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(node, false);
    node.element.focus(); // it was put on top of the others
  });
  shapeNode(node, story.bars > 0);
  return node.element;
}

function showDrawing() {
  nodes.forEach((node) => {
    node.show();
    const label = nodeLabel(node);
    if (node.element.getAttribute("aria-label") !== label) node.element.setAttribute("aria-label", label);
  });
  arcs.forEach((a) => {
    const item = given.get(a.to);
    a.element.classList.toggle("cut", Boolean(item && item.isDo));
  });
}

function draw() {
  drawing.append(
    svg("defs", {}, svg("marker", { id: "head", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 9,
      markerHeight: 9, orient: "auto", markerUnits: "userSpaceOnUse" }, svg("path", { d: "M0 0L10 5L0 10z" }))),
    svg("g", {}, ...arcs.map(drawArc)),
    svg("g", {}, ...nodes.map(drawNode)));
  drawing.classList.toggle("many", nodes.length > MANY);
  $("only").checked = nodes.length > MANY;
  nodes.forEach((node) => $("names").append(el("option", { value: node.name })));
  measureRoom();
  openView();
  onAnswer(showDrawing);
}

function showLegend() {
  const line = (a) => svg("svg", { width: 30, height: 10, "aria-hidden": "true" }, svg("path", {
    class: "arc" + (a.compelled ? "" : " reversible"), d: "M0 5L30 5", "stroke-width": widthOf(a) }));
  const known = arcs.filter((a) => a.lost !== null && a.lost > 0);
  if (known.length) {
    $("legend").append(el("span", {}, line({ compelled: true, lost: mostLost }), "loses " + number(mostLost, 0)),
      el("span", {}, line({ compelled: true, lost: mostLost / 100 }), number(mostLost / 100, 1)));
  }
  $("legend").append(el("span", {}, line({ compelled: true, lost: 0 }), "compelled"),
    el("span", {}, line({ compelled: false, lost: 0 }), "reversible"));
  if (whyNot()) return;
  const ofEvidence = [el("span", {}, el("i", { class: "key given" }), "evidence"),
    el("span", {}, el("i", { class: "key do" }), "intervention"),
    el("span", {}, el("b", { class: "key mark" }), "without evidence"),
    el("span", {}, el("strong", {}, "bold"), " most probable together")];
  $("legend").append(...ofEvidence);
  onAnswer(() => ofEvidence.forEach((e) => { e.hidden = Boolean(refusal) && refusal !== "Computing …"; }));
}
