// SPDX-License-Identifier: MIT
// view.js -- which part of the drawing is seen, and how large: zoom, pan, fit, full
// screen. Names keep a size that can be read as long as their boxes do not overlap.

let view = { x: 0, y: 0, w: WIDE, h: HIGH };
let fitted = "start"; // what the view stays at when its panel changes: the "start", "all", or nothing
let tallest = 1; // by which a box may grow before it meets the next layer
let grown = 1; // by which boxes with two lines may

// Pixels of the screen for one unit of the drawing.
function scale() {
  const box = drawing.getBoundingClientRect();
  return Math.min((box.width || 900) / view.w, (box.height || 600) / view.h);
}

const isTiny = (size) => 12 * size < 7.2; // bars cannot be read

// How wide a box may become before it meets its neighbours in the layer.
function measureRoom() {
  const layers = new Map();
  nodes.forEach((n) => (layers.get(n.home.y) || layers.set(n.home.y, []).get(n.home.y)).push(n));
  layers.forEach((list) => {
    list.sort((a, b) => a.home.x - b.home.x);
    list.forEach((n, i) => {
      const free = (other) => (other ? Math.abs(other.home.x - n.home.x) - (n.home.width + other.home.width) / 2 - 8 : Infinity);
      const edge = 2 * (Math.min(n.home.x, WIDE - n.home.x) - 2) - n.home.width; // of the drawing
      n.room = n.home.width + Math.max(0, Math.min(free(list[i - 1]), free(list[i + 1]), edge, n.home.width));
    });
  });
  const ys = [...layers.keys()].sort((a, b) => a - b);
  const gap = ys.slice(1).reduce((least, y, i) => Math.min(least, y - ys[i]), Infinity);
  tallest = nodes.length ? Math.max(1, Math.min(5, (gap - 7) / HEAD)) : 1;
  grown = Math.max(1, Math.min(2.6, tallest * HEAD / (HEAD + LINE)));
}

// k: how much larger than drawn. The box widens as far as there is room.
function fitNode(node, k, isBig) {
  if (node.fitted === k && node.big === isBig) return;
  node.fitted = k;
  node.big = isBig;
  node.element.classList.toggle("big", isBig);
  node.element.setAttribute("transform", "translate(" + node.x + " " + node.y + ")" + (k > 1 ? " scale(" + k.toFixed(2) + ")" : ""));
  if (node.hasBars) return;
  const width = isBig || node.isAway || k === 1 ? node.width : Math.min(node.width, node.room / k);
  const mayWrap = node.isAway || (!isBig && k * (HEAD + LINE) / HEAD <= tallest);
  const lines = mayWrap ? wrapped(node.name, width - 8, "14px") : [shorten(node.name, width - 8, "14px")];
  const height = HEAD + LINE * (lines.length - 1);
  fill(node.box, { x: -width / 2, width, y: -height / 2, height }, []);
  showLines(node.label, lines, node.nameAt, LINE);
  if (node.mini)
    node.mini.setAttribute("transform", "translate(0 " + (height - HEAD) / 2 + ") scale(" + ((width - 12) / (node.width - 12)).toFixed(3) + " 1)");
  const tall = node.isAway || isBig ? 1 : k * height / HEAD;
  if ((node.tall || 1) === tall) return;
  node.tall = tall;
  if (nodes.length <= MANY) node.parents.concat(node.children).forEach((a) => a.element.setAttribute("d", pathOf(a)));
}

function look(next, fitting) {
  const widest = 4 * Math.max(WIDE, 1.4 * HIGH);
  const w = Math.min(Math.max(next.w, 150), widest);
  const factor = w / next.w;
  fitted = fitting;
  view = { x: next.x + (next.w - w) / 2, y: next.y + (next.h - next.h * factor) / 2, w, h: next.h * factor };
  drawing.setAttribute("viewBox", [view.x, view.y, view.w, view.h].map((x) => x.toFixed(1)).join(" "));
  const size = scale(), bold = Math.min(Math.max(1, Math.round(100 / (14 * size)) / 10), 7);
  const letters = 14 * size, most = Math.max(grown, Math.min(2.6, tallest, 8.5 / letters));
  const wanted = Math.min(Math.max(1, Math.round(10 * goodSize() / letters) / 10), most);
  const isFar = 14 * size * wanted < 6;
  drawing.classList.toggle("far", isFar);
  drawing.classList.toggle("tiny", isTiny(size));
  nodes.forEach((node) => {
    const isBig = Boolean(picked && node.role && !node.isAway && isFar);
    fitNode(node, isBig ? bold : node.isAway || isFar || node.hasBars ? 1 : wanted, isBig);
  });
}

// Shows a box, with the shape of the stage around it.
function lookAt(x0, y0, x1, y1, least, fitting) {
  const box = drawing.getBoundingClientRect();
  const ratio = (box.width || 900) / (box.height || 600);
  let w = Math.max(x1 - x0, least || 0), h = Math.max(y1 - y0, (least || 0) / ratio);
  if (w / h < ratio) w = h * ratio;
  else h = w / ratio;
  look({ x: (x0 + x1 - w) / 2, y: (y0 + y1 - h) / 2, w, h }, fitting);
}
// The whole; a small one not larger than life by half.
const PAD = story.bars > 0 ? 0 : 12; // boxes grow over the edge
const fitAll = (fitting) => lookAt(0, -PAD, WIDE, HIGH + PAD, (drawing.getBoundingClientRect().width || 900) / 1.5, fitting || "all");
const isWhole = () => view.x <= 0 && view.y <= 0 && view.x + view.w >= WIDE && view.y + view.h >= HIGH;

// Pixels that letters should have. A phone shows a part, in which there is room for them; a small screen all.
const NARROW = 600, SMALL = 700; // pixels
function goodSize() {
  const { width } = drawing.getBoundingClientRect();
  return width >= NARROW && width < SMALL ? 9.2 : 10.4;
}

// If names cannot be read: the part of `box` around a node in which they can. They can be `larger` than
// drawn.
const READABLE = 10, LARGE = 30 / 14; // pixels; see largeName()
function lookCloser(middle, larger, [x0, y0, x1, y1]) {
  const box = drawing.getBoundingClientRect();
  if (!box.width || 14 * scale() * larger >= READABLE - 1.5) return;
  const size = READABLE / (14 * larger), w = box.width / size, h = box.height / size;
  const within = (at, length, from, to) =>
    (length >= to - from ? (from + to - length) / 2 : Math.min(Math.max(at - length / 2, from), to - length));
  look({ x: within(middle.x, w, x0, x1), y: within(middle.y, h, y0, y1), w, h }, fitted);
}

// Where a page opens. On a narrow screen, if names of the whole could not be read: around the variable with the most
// arcs. Drawings that are looked at in parts anyway open with the overview.
function openView() {
  fitAll("start");
  if (nodes.length > MANY || !nodes.length || drawing.getBoundingClientRect().width >= NARROW) return;
  const arcsOf = (n) => n.parents.length + n.children.length;
  const middle = nodes.reduce((most, n) => (arcsOf(n) > arcsOf(most) ? n : most), nodes[0]);
  lookCloser(middle, story.bars > 0 ? LARGE : Math.min(grown, 1.35), [0, 0, WIDE, HIGH]); // by more, names are cut off
}

function zoom(factor, x, y) {
  const px = x === undefined ? view.x + view.w / 2 : x, py = y === undefined ? view.y + view.h / 2 : y;
  look({ x: px - (px - view.x) * factor, y: py - (py - view.y) * factor, w: view.w * factor, h: view.h * factor });
}
const pan = (dx, dy) => look({ ...view, x: view.x + dx, y: view.y + dy });

function pointOf(event) {
  const box = drawing.getBoundingClientRect(), size = scale();
  return [view.x + view.w / 2 + (event.clientX - box.left - box.width / 2) / size,
    view.y + view.h / 2 + (event.clientY - box.top - box.height / 2) / size];
}

// ---- mouse, fingers, keys -------------------------------------------------------

function clickAt(target, event) {
  const group = target.closest(".node");
  const node = group && nodes.find((n) => n.element === group);
  const row = target.closest(".row");
  if (node && row && !drawing.classList.contains("tiny"))
    toggleState(node, Number(row.dataset.state), event);
  else if (node) pick(node, false);
}

// One pointer drags, two zoom.
function listenToPointers() {
  const down = new Map();
  let start = null;
  drawing.addEventListener("pointerdown", (event) => {
    down.set(event.pointerId, event);
    start = { target: event.target, moved: 0, held: down.size > 1 };
  });
  drawing.addEventListener("pointermove", (event) => {
    const was = down.get(event.pointerId);
    if (!was || !start) return;
    const dx = event.clientX - was.clientX, dy = event.clientY - was.clientY;
    if (down.size === 2) {
      const other = [...down.values()].find((e) => e.pointerId !== event.pointerId);
      const far = (e) => Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY) || 1;
      zoom(far(was) / far(event), ...pointOf(other));
      down.set(event.pointerId, event);
      return;
    }
    start.moved += Math.abs(dx) + Math.abs(dy);
    if (start.moved < 4) return;
    if (!start.held) drawing.setPointerCapture(event.pointerId);
    start.held = true;
    down.set(event.pointerId, event);
    drawing.classList.add("dragged");
    pan(-dx / scale(), -dy / scale());
  });
  const drop = (event) => {
    const was = start;
    if (!down.delete(event.pointerId) || down.size) return;
    start = null;
    drawing.classList.remove("dragged");
    if (was && !was.held && event.type !== "pointercancel") clickAt(was.target, event);
  };
  drawing.addEventListener("pointerup", drop);
  drawing.addEventListener("pointercancel", drop);
  drawing.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 220), ...pointOf(event));
  }, { passive: false });
}

function listenToKeys() {
  drawing.addEventListener("keydown", (event) => {
    const step = view.w / 10;
    const keys = {
      ArrowLeft: () => pan(-step, 0), ArrowRight: () => pan(step, 0),
      ArrowUp: () => pan(0, -step), ArrowDown: () => pan(0, step),
      "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), 0: () => fitAll(), f: toggleFull,
      Escape: () => pick(null),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
}

// After its panel has changed.
function refit() {
  if (away.length) lookAtNodes(away);
  else if (fitted === "all") fitAll();
  else if (fitted === "start") openView();
  else look(view);
}

// The drawing on the whole window, and of the screen where the browser allows it.
function setFull(isFull) {
  $("workbench").classList.toggle("full", isFull);
  $("full").textContent = isFull ? "Leave" : "Full screen";
  $("full").setAttribute("aria-label", isFull ? "Leave full screen" : "Full screen");
  $("full").setAttribute("aria-pressed", String(isFull));
  refit();
}
function toggleFull() {
  const isFull = !$("workbench").classList.contains("full");
  setFull(isFull);
  if (isFull && $("workbench").requestFullscreen) $("workbench").requestFullscreen().catch(() => {});
  else if (!isFull && document.fullscreenElement) document.exitFullscreen();
}

function listenToView() {
  listenToPointers();
  listenToKeys();
  $("closer").addEventListener("click", () => zoom(0.75));
  $("further").addEventListener("click", () => zoom(1 / 0.75));
  $("whole").addEventListener("click", () => {
    if (picked && away.length) pick(null);
    fitAll();
  });
  $("full").addEventListener("click", toggleFull);
  document.addEventListener("fullscreenchange", () => setFull(Boolean(document.fullscreenElement)));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && $("workbench").classList.contains("full")) setFull(false);
  });
  new ResizeObserver(refit).observe(drawing);
  window.addEventListener("beforeprint", () => { if (away.length) lookAtNodes(away); else fitAll(); });
}
