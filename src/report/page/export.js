// SPDX-License-Identifier: MIT
// export.js -- the drawing as it is seen, as a file: SVG with its styles in
// attributes, which every program reads, or PNG of it.

const SHAPE = { fill: "", stroke: "none", "stroke-width": "", "stroke-dasharray": "none", opacity: "1" };
const LETTERS = { fill: "", "font-size": "", "font-weight": "400", "text-anchor": "start", "dominant-baseline": "auto", opacity: "1" };
// What is copied of the style of an element, with what is the default.
const paintOf = (tag) => (tag === "text" ? LETTERS : tag === "g" || tag === "svg" ? { opacity: "1" } : SHAPE);

// Copies what is seen of an element and of those in it.
function copyStyled(from, to) {
  const style = getComputedStyle(from);
  if (style.display === "none" || style.visibility === "hidden") return false;
  Object.entries(paintOf(from.tagName)).forEach(([key, usual]) => {
    const value = style.getPropertyValue(key);
    if (value && value !== usual && !(key.startsWith("stroke-") && style.stroke === "none")) to.setAttribute(key, value);
  });
  if (from.tagName === "rect") // these may come from a style
    ["x", "width"].forEach((key) => { if (from.style[key]) to.setAttribute(key, parseFloat(style.getPropertyValue(key))); });
  ["class", "style", "tabindex", "role", "aria-label", "data-name", "data-state"].forEach((key) => to.removeAttribute(key));
  [...from.children].forEach((child, i) => {
    const copy = to.children[i];
    if (!/^(title|defs|marker)$/.test(child.tagName) && !copyStyled(child, copy)) copy.dataset.drop = "";
  });
  to.querySelectorAll(":scope > [data-drop]").forEach((e) => e.remove());
  return true;
}

// A head for the arcs of each colour: few programs know one that takes the colour of its arc.
function colourHeads(copy) {
  const head = copy.querySelector("#head"), made = new Map();
  copy.querySelectorAll("[marker-end]").forEach((arc) => {
    const colour = arc.getAttribute("stroke");
    if (!made.has(colour)) {
      const own = head.cloneNode(true);
      own.id = "head" + made.size;
      own.firstChild.setAttribute("fill", colour);
      head.after(own);
      made.set(colour, own.id);
    }
    arc.setAttribute("marker-end", "url(#" + made.get(colour) + ")");
  });
  head.remove();
}

// { text, width, height } of an SVG file.
function drawingFile() {
  const copy = drawing.cloneNode(true), box = drawing.getBoundingClientRect();
  copyStyled(drawing, copy);
  colourHeads(copy);
  const { x, y, w, h } = view;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.removeAttribute("id");
  copy.setAttribute("viewBox", [x, y, w, h].map((v) => v.toFixed(1)).join(" "));
  const width = Math.round(box.width), height = Math.round(width * h / w);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.setAttribute("font-family", "system-ui, Helvetica, Arial, sans-serif");
  copy.prepend(svg("rect", { x, y, width: w, height: h,
    fill: getComputedStyle(document.documentElement).getPropertyValue("--card").trim() }));
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

const fileName = (suffix) => (story.title || "network").replace(/\.[a-z]+$/i, "").replace(/[^\w.-]+/g, "_") + suffix;

function save(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  document.documentElement.dataset.saved = name + " " + blob.size;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function saveSvg() {
  save(new Blob(['<?xml version="1.0" encoding="UTF-8"?>\n', drawingFile().text], { type: "image/svg+xml" }), fileName(".svg"));
}

// Twice the size on the screen, for print.
function savePng() {
  const { text, width, height } = drawingFile(), image = new Image();
  image.addEventListener("load", () => {
    const canvas = el("canvas", { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, fileName(".png")), "image/png");
  });
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

function listenToExport() {
  $("save-svg").addEventListener("click", saveSvg);
  $("save-png").addEventListener("click", savePng);
}
