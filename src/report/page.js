// The script of the report: draws what is in #story. Texts go into the page as
// text nodes only, so that no name can become markup.
(function () {
  "use strict";

  const story = JSON.parse(document.getElementById("story").textContent);
  const summary = story.summary || {};
  const nodes = story.nodes.map(([name, x, y, width, labels, rows, shown, text], id) => ({
    id, name, x, y, home: [x, y], width, labels, rows, shown, text, parents: [], children: [],
  }));
  const arcs = story.arcs.map(([from, to, lost, compelled, bends, strength, direction], id) => ({
    id, from, to, lost, compelled, bends, strength, direction,
  }));
  arcs.forEach((a) => {
    nodes[a.to].parents.push(a);
    nodes[a.from].children.push(a);
  });
  const hasSupport = arcs.some((a) => a.strength !== undefined && a.strength !== null);
  const mostLost = arcs.reduce((most, a) => Math.max(most, a.lost || 0), 0);

  // ---- small helpers ---------------------------------------------------------

  const $ = (id) => document.getElementById(id);

  function fill(element, attributes, children) {
    for (const key in attributes || {}) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), attributes[key]);
      else if (attributes[key] !== null && attributes[key] !== undefined)
        element.setAttribute(key, attributes[key]);
    }
    for (const child of children) {
      if (child === null || child === undefined) continue;
      element.append(child instanceof Node ? child : String(child));
    }
    return element;
  }
  const el = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  function number(x, digits) {
    if (x === null || x === undefined || !isFinite(x)) return "–";
    return x.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
      .replace("-", "−");
  }
  const total = (x) => number(x, Math.abs(x) < 1e5 ? 3 : Math.abs(x) < 1e7 ? 1 : 0);
  const count = (x, noun) => number(x, 0) + " " + noun + (x === 1 ? "" : "s");
  function bytes(x) {
    let unit = 0;
    for (; x >= 1024 && unit < 4; unit++) x /= 1024;
    return number(x, unit && x < 10 ? 1 : 0) + " " + ["B", "KB", "MB", "GB", "TB"][unit];
  }
  function seconds(x) {
    return x < 100 ? number(x, 2) + " s" : x < 6000 ? number(x / 60, 1) + " min" : number(x / 3600, 1) + " h";
  }
  const pair = (dl, key, ...value) => dl.append(el("div", {}, el("dt", {}, key), el("dd", {}, ...value)));
  const nameButton = (node) =>
    el("button", { type: "button", class: "name", onclick: () => pick(node, true) }, node.name);

  // A table that shows its first rows, and all if asked. Columns: [title, is it a
  // number, cell of a row, key to sort by].
  function longTable(columns, rows, first) {
    const body = el("tbody");
    const more = el("button", { type: "button", class: "more" });
    let all = false;
    let order = rows;
    const show = () => {
      body.replaceChildren(...(all ? order : order.slice(0, first)).map((row) =>
        el("tr", {}, ...columns.map(([, isNumber, cell]) =>
          el("td", { class: isNumber ? "number" : null }, cell(row))))));
      more.hidden = all || rows.length <= first;
      more.textContent = "Show all " + number(rows.length, 0);
    };
    more.addEventListener("click", () => { all = true; show(); });
    const head = columns.map(([title, isNumber, , key]) => {
      const th = el("th", { class: isNumber ? "number" : null, scope: "col" });
      if (!key) return fill(th, {}, [title]);
      let up = isNumber;
      th.append(el("button", { type: "button", title: "Sort by this", onclick: () => {
        const sign = up ? -1 : 1;
        up = !up;
        order = rows.slice().sort((a, b) => {
          const x = key(a), y = key(b);
          if (x === null || y === null) return (x === null) - (y === null);
          return (x < y ? -1 : x > y ? 1 : 0) * sign;
        });
        show();
      } }, title));
      return th;
    });
    show();
    return el("div", {}, el("table", {}, el("thead", {}, el("tr", {}, ...head)), body), more);
  }

  // ---- in short ----------------------------------------------------------------

  const OVER = summary.proved_over === "candidate sets" ? "the candidate sets" : summary.proved_over;

  function verdict() {
    const room = summary.bound - summary.score;
    const ending = { stopped: "Stopped at a limit. ", interrupted: "Interrupted. " }[summary.status] || "";
    if (summary.resamples !== undefined)
      return [ending, "The average of ", el("strong", { class: "proved" }, count(summary.resamples, "network")),
        " learned from resamples, with the arcs that are in more than " + number(100 * summary.threshold, 1) + " % of them."];
    if (summary.status === "optimal")
      return [el("strong", { class: "proved" }, "Proved optimal"), " over " + OVER + "."];
    if (summary.score === undefined) return [];
    if (!isFinite(room)) return [ending, el("strong", {}, "Not proved optimal"), "; no bound is known."];
    return [ending, el("strong", {}, "Not proved optimal"), ": at most " +
      total(Math.ceil(room * 1000) / 1000) + " below the optimum over these parent sets."];
  }

  function showFacts() {
    const facts = $("facts");
    $("version").textContent = story.version || "";
    $("title").textContent = story.title || "A Bayesian network";
    $("verdict").append(...verdict());
    pair(facts, "Variables", number(nodes.length, 0));
    pair(facts, "Arcs", number(arcs.length, 0));
    if (story.table) pair(facts, "Rows", number(story.table.rows, 0));
    else if (summary.rows) pair(facts, "Rows", number(summary.rows, 0));
    if (summary.score !== undefined)
      pair(facts, "Score" + (summary.score_name ? " (" + summary.score_name + ")" : ""), total(summary.score));
    if (summary.bound !== undefined) {
      pair(facts, "Bound", total(summary.bound));
      const gap = summary.status === "optimal" ? 0 : 100 * summary.gap;
      pair(facts, "Gap", gap ? Number(gap.toPrecision(3)) + " %" : "0 %");
    }
    if (summary.solver) pair(facts, "Solver", summary.solver);
    if (summary.seconds) pair(facts, "Time", seconds(summary.seconds.total));
  }

  // ---- the drawing ---------------------------------------------------------------

  const drawing = $("drawing");
  const HALF = story.height / 2;
  const [WIDE, HIGH] = story.size;
  let view = { x: 0, y: 0, w: WIDE, h: HIGH };
  let picked = null;

  const widthOf = (a) =>
    a.lost > 0 ? 0.9 + 4.1 * Math.log1p(a.lost) / Math.log1p(mostLost) : 0.9;

  function shorten(node) {
    const room = Math.floor((node.width - 18) / 8);
    const letters = Array.from(node.name);
    return letters.length <= room ? node.name : letters.slice(0, room - 1).join("") + "…";
  }

  // Down from the parent, through the bends, into the child from above.
  function pathOf(a) {
    const u = nodes[a.from], v = nodes[a.to];
    const points = [[u.x, u.y + HALF]];
    for (let i = 0; !a.straight && i < a.bends.length; i += 2) points.push([a.bends[i], a.bends[i + 1]]);
    points.push([v.x, v.y - HALF - 7]);
    // Slopes: vertical at both ends, towards the neighbours in between.
    const slope = points.map(([, y], i) => {
      if (i === 0) return [0, (points[1][1] - y) * 0.45];
      if (i === points.length - 1) return [0, (y - points[i - 1][1]) * 0.45];
      return [(points[i + 1][0] - points[i - 1][0]) / 6, (points[i + 1][1] - points[i - 1][1]) / 6];
    });
    let d = "M" + points[0].join(" ");
    for (let i = 1; i < points.length; i++) {
      const [x0, y0] = points[i - 1], [x1, y1] = points[i];
      d += "C" + [x0 + slope[i - 1][0], y0 + slope[i - 1][1], x1 - slope[i][0], y1 - slope[i][1], x1, y1]
        .map((x) => Math.round(x)).join(" ");
    }
    return d + "l0 6";
  }

  function drawArc(a) {
    a.element = svg("path", {
      class: "arc" + (a.compelled ? "" : " reversible"), d: pathOf(a),
      "stroke-width": widthOf(a).toFixed(2), "marker-end": "url(#head)",
    }, svg("title", {}, nodes[a.from].name + " → " + nodes[a.to].name + arcText(a)));
    return a.element;
  }

  function arcText(a) {
    return (a.lost === null ? "" : ", loses " + number(a.lost, 3)) +
      (hasSupport ? ", in " + number(100 * a.strength, 0) + " % of the resamples" : "") +
      (a.compelled ? ", compelled" : ", reversible");
  }

  function drawNode(node) {
    node.element = svg("g", { class: "node", transform: "translate(" + node.x + " " + node.y + ")",
      "data-name": node.name },
    svg("title", {}, node.name),
    svg("rect", { x: -node.width / 2, y: -HALF, width: node.width, height: 2 * HALF, rx: 8 }),
    svg("text", {}, shorten(node)));
    return node.element;
  }

  function draw() {
    drawing.append(
      svg("defs", {}, svg("marker", { id: "head", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 9,
        markerHeight: 9, orient: "auto", markerUnits: "userSpaceOnUse" }, svg("path", { d: "M0 0L10 5L0 10z" }))),
      svg("g", {}, ...arcs.map(drawArc)),
      svg("g", {}, ...nodes.map(drawNode)));
    drawing.classList.toggle("many", nodes.length > 150);
    $("only").checked = nodes.length > 150;
    nodes.forEach((node) => $("names").append(el("option", { value: node.name })));
    fitAll();
  }

  // Pixels of the screen for one unit of the drawing.
  function scale() {
    const box = drawing.getBoundingClientRect();
    return Math.min((box.width || 900) / view.w, (box.height || 600) / view.h);
  }

  function look(next) {
    const widest = 4 * Math.max(WIDE, 1.4 * HIGH);
    const w = Math.min(Math.max(next.w, 150), widest);
    const factor = w / next.w;
    view = { x: next.x + (next.w - w) / 2, y: next.y + (next.h - next.h * factor) / 2, w, h: next.h * factor };
    drawing.setAttribute("viewBox", [view.x, view.y, view.w, view.h].map((x) => x.toFixed(1)).join(" "));
    const size = scale();
    drawing.classList.toggle("far", size * 14 < 5.5);
    // Who matters stays readable from afar.
    const grow = Math.min(Math.max(1, 9.5 / (14 * size)), 7);
    nodes.forEach((node) => {
      const big = picked && /here|parent|child|spouse/.test(node.role || "");
      const k = big ? grow : 1;
      if (node.grown === k && node.big === big) return;
      node.grown = k;
      node.big = big;
      node.element.classList.toggle("big", Boolean(big));
      node.element.setAttribute("transform", "translate(" + node.x + " " + node.y + ")" +
        (k > 1 ? " scale(" + k.toFixed(2) + ")" : ""));
    });
  }

  // Shows a box, with the shape of the stage around it.
  function lookAt(x0, y0, x1, y1, least) {
    const box = drawing.getBoundingClientRect();
    const ratio = (box.width || 900) / (box.height || 600);
    let w = Math.max(x1 - x0, least || 0), h = Math.max(y1 - y0, (least || 0) / ratio);
    if (w / h < ratio) w = h * ratio;
    else h = w / ratio;
    look({ x: (x0 + x1 - w) / 2, y: (y0 + y1 - h) / 2, w, h });
  }
  const fitAll = () => lookAt(0, 0, WIDE, HIGH, 500);

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

  function listen() {
    let drag = null;
    drawing.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 220), ...pointOf(event));
    }, { passive: false });
    drawing.addEventListener("pointerdown", (event) => {
      drag = { x: event.clientX, y: event.clientY, moved: 0, target: event.target };
    });
    drawing.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      drag.moved += Math.abs(dx) + Math.abs(dy);
      if (drag.moved < 4) return;
      if (!drag.held) drawing.setPointerCapture(event.pointerId);
      drag.held = true;
      drag.x = event.clientX;
      drag.y = event.clientY;
      drawing.classList.add("dragged");
      pan(-dx / scale(), -dy / scale());
    });
    const drop = (event) => {
      const was = drag;
      drag = null;
      drawing.classList.remove("dragged");
      if (!was || was.held || event.type === "pointercancel") return;
      const group = was.target.closest(".node");
      const node = group && nodes.find((n) => n.element === group);
      if (node) pick(node, false);
    };
    drawing.addEventListener("pointerup", drop);
    drawing.addEventListener("pointercancel", drop);
    drawing.addEventListener("keydown", (event) => {
      const step = view.w / 10;
      const keys = {
        ArrowLeft: () => pan(-step, 0), ArrowRight: () => pan(step, 0),
        ArrowUp: () => pan(0, -step), ArrowDown: () => pan(0, step),
        "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), 0: fitAll,
        Escape: () => pick(null),
      };
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    $("closer").addEventListener("click", () => zoom(0.75));
    $("further").addEventListener("click", () => zoom(1 / 0.75));
    $("whole").addEventListener("click", () => {
      if (away.length) pick(null);
      fitAll();
    });
    $("clear").addEventListener("click", () => pick(null));
    $("only").addEventListener("change", () => { if (picked) pick(picked, true); });
    $("least").addEventListener("input", hideWeak);
    $("find").addEventListener("submit", (event) => {
      event.preventDefault();
      find($("search").value, true);
    });
    $("search").addEventListener("input", () => find($("search").value, false));
    window.addEventListener("resize", () => look(view));
    window.addEventListener("beforeprint", fitAll);
  }

  // The slider goes by the ranks of the arcs, not by their values: of these few
  // are large.
  function hideWeak() {
    const known = arcs.filter((a) => a.lost !== null).map((a) => a.lost).sort((x, y) => x - y);
    const share = $("least").value / 100;
    const least = share && known.length ? known[Math.min(known.length - 1, Math.floor(share * known.length))] : null;
    arcs.forEach((a) => a.element.classList.toggle("weak", least !== null && a.lost !== null && a.lost < least));
    $("least-is").textContent = least === null ? "all" : number(least, least < 10 ? 2 : 0);
  }

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

  // ---- one variable ----------------------------------------------------------------

  // A variable's Markov blanket: parents, children, and their other parents.
  function blanketOf(node) {
    const parents = node.parents.map((a) => nodes[a.from]);
    const children = node.children.map((a) => nodes[a.to]);
    const spouses = new Set();
    children.forEach((c) => c.parents.forEach((a) => {
      if (a.from !== node.id && !parents.includes(nodes[a.from]) && !children.includes(nodes[a.from]))
        spouses.add(nodes[a.from]);
    }));
    return { parents, children, spouses: [...spouses] };
  }

  function mark(node, role) {
    if (node.role) node.element.classList.remove(node.role);
    node.role = role;
    if (role) node.element.classList.add(role);
  }

  // ---- a Markov blanket drawn on its own ----------------------------------------

  let away = []; // nodes that stand elsewhere than in the whole drawing

  function goHome() {
    const moved = new Set();
    away.forEach((n) => {
      [n.x, n.y] = n.home;
      n.grown = undefined; // its transform is out of date
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

  // A layer in rows that are not too wide, each with its middle at 0.
  function placeRows(list, y) {
    const widest = 1050, gap = 30;
    let row = [], width = 0;
    const close = () => {
      let x = -(width - gap) / 2;
      row.forEach((n) => { n.x = x + n.width / 2; n.y = y; x += n.width + gap; });
      row = [];
      width = 0;
    };
    list.forEach((n) => {
      if (row.length && width + n.width > widest) {
        close();
        y += 58;
      }
      row.push(n);
      width += n.width + gap;
    });
    close();
    return y;
  }

  function placeAlone(near, inner) {
    const layers = layersOf(near, inner);
    const place = () => layers.reduce((y, list) => placeRows(list, y) + 110, 0);
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
    inner.forEach((a) => { a.straight = true; a.element.setAttribute("d", pathOf(a)); });
    near.forEach((n) => { n.grown = undefined; });
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
      mark(node, "here");
      blanket.parents.forEach((n) => mark(n, "parent"));
      blanket.children.forEach((n) => mark(n, "child"));
      blanket.spouses.forEach((n) => mark(n, "spouse"));
      node.parents.forEach((a) => a.element.classList.add("in"));
      node.children.forEach((a) => {
        a.element.classList.add("out");
        nodes[a.to].parents.forEach((b) => { if (b !== a) b.element.classList.add("side"); });
      });
      const near = [node, ...blanket.parents, ...blanket.children, ...blanket.spouses];
      near.forEach((n) => n.element.parentNode.append(n.element)); // on top
      const alone = $("only").checked;
      if (alone) {
        const inner = new Set(node.parents.concat(node.children, ...blanket.children.map((n) => n.parents)));
        placeAlone(near, [...inner]);
      }
      if (move || alone || wasAlone) {
        const left = Math.min(...near.map((n) => n.x - n.width / 2)), top = Math.min(...near.map((n) => n.y));
        const right = Math.max(...near.map((n) => n.x + n.width / 2)), bottom = Math.max(...near.map((n) => n.y));
        const pad = 50 + 0.05 * Math.max(right - left, bottom - top);
        lookAt(left - pad, top - pad, right + pad, bottom + pad, 700);
      }
    } else if (wasAlone) fitAll();
    drawing.classList.toggle("only", away.length > 0);
    look(view);
    showDetail(node);
  }

  function relatives(title, style, list) {
    if (!list.length) return null;
    return el("div", {}, el("h3", { class: style }, title),
      el("ul", { class: "plain" }, ...list.map(([node, arc]) => el("li", {}, nameButton(node),
        el("span", { class: "muted" }, arc && arc.lost !== null ? number(arc.lost, 2) : "")))));
  }

  function showStates(node) {
    const column = story.table && story.table.columns[node.id];
    if (!node.labels.length) return null;
    const counts = column ? column[1] : [];
    const total = counts.reduce((a, b) => a + b, 0);
    const grid = el("div", { class: "states" });
    const most = 40;
    node.labels.slice(0, most).forEach((label, s) => {
      const share = total ? counts[s] / total : 0;
      grid.append(el("span", {}, label),
        el("span", { class: "b" }, total ? el("span", { style: "width:" + (100 * share).toFixed(1) + "%" }) : null),
        el("span", { class: "c" }, total ? number(counts[s], 0) : ""));
    });
    return el("div", {}, el("h3", {}, count(node.labels.length, "state")), grid,
      node.labels.length > most ? el("p", { class: "muted" }, "… and " + (node.labels.length - most) + " more") : null);
  }

  // The parents' states of a row: the last parent changes fastest.
  function givenOf(row, parents) {
    const given = [];
    for (let i = parents.length - 1; i >= 0; i--) {
      const states = parents[i].labels.length;
      given.unshift(parents[i].labels[row % states]);
      row = Math.floor(row / states);
    }
    return given;
  }

  function showTable(node) {
    if (!node.rows || !node.shown) return node.labels.length ? null :
      el("p", { class: "muted" }, "No probabilities: a score file has neither states nor rows.");
    const parents = node.parents.map((a) => nodes[a.from]);
    const states = node.labels.length;
    const p = node.text.split(" ").map(Number);
    const body = el("tbody");
    const add = (from, to) => {
      for (let row = from; row < to; row++) {
        const given = givenOf(row, parents);
        body.append(el("tr", {}, ...given.map((g) => el("td", { class: "given" }, g)),
          ...p.slice(row * states, (row + 1) * states).map((x) => el("td", { class: "p",
            style: "background-image:linear-gradient(var(--bar),var(--bar));background-size:" +
              (100 * x).toFixed(1) + "% 100%" }, x.toFixed(3)))));
      }
    };
    const first = Math.min(node.shown, 48);
    add(0, first);
    const table = el("table", { class: "cpt", id: "cpt" }, el("thead", {}, el("tr", {},
      ...parents.map((n) => el("th", { scope: "col", class: "parent-text" }, n.name)),
      ...node.labels.map((label) => el("th", { scope: "col" }, label)))), body);
    const more = node.shown > first ? el("button", { type: "button", class: "more", onclick: (event) => {
      add(first, node.shown);
      event.target.remove();
    } }, "Show " + number(node.shown, 0) + " rows") : null;
    return el("div", {}, el("h3", {}, "Probabilities" + (parents.length ? " given its parents" : "")),
      el("div", { class: "scroll" }, table), more,
      node.shown < node.rows ? el("p", { class: "muted" }, "The page holds the first " + number(node.shown, 0) +
        " of " + number(node.rows, 0) + " rows; the network's file has all.") : null);
  }

  function showDetail(node) {
    const detail = $("detail");
    detail.classList.toggle("full", Boolean(node));
    if (!node) {
      detail.replaceChildren(el("h3", {}, "Select a variable"),
        el("p", { class: "muted" }, "Click one in the drawing, or find it by name, to see its states, its " +
          "Markov blanket and its table of probabilities."),
        el("h3", {}, "Most arcs"),
        el("ul", { class: "plain" }, ...nodes.slice()
          .sort((a, b) => b.parents.length + b.children.length - a.parents.length - a.children.length || a.id - b.id)
          .slice(0, 12).map((n) => el("li", {}, nameButton(n), el("span", { class: "muted" },
            n.parents.length + " in, " + n.children.length + " out")))));
      return;
    }
    const blanket = blanketOf(node);
    detail.replaceChildren(...[el("h3", {}, node.name),
      relatives("Parents", "parent-text", node.parents.map((a) => [nodes[a.from], a])),
      relatives("Children", "child-text", node.children.map((a) => [nodes[a.to], a])),
      relatives("Other parents of its children", "spouse-text", blanket.spouses.map((n) => [n, null])),
      showTable(node), showStates(node)].filter(Boolean));
    detail.scrollTop = 0;
  }

  function showLegend() {
    const line = (a) => svg("svg", { width: 30, height: 10 }, svg("path", { class: "arc" + (a.compelled ? "" : " reversible"),
      d: "M0 5L30 5", "stroke-width": widthOf(a) }));
    const known = arcs.filter((a) => a.lost !== null && a.lost > 0);
    if (known.length) {
      $("legend").append(el("span", {}, line({ compelled: true, lost: mostLost }), "loses " + number(mostLost, 0)),
        el("span", {}, line({ compelled: true, lost: mostLost / 100 }), "loses " + number(mostLost / 100, 1)));
    }
    $("legend").append(el("span", {}, line({ compelled: true, lost: 0 }), "compelled"),
      el("span", {}, line({ compelled: false, lost: 0 }), "reversible"));
  }

  // ---- arcs --------------------------------------------------------------------------

  function showArcs() {
    const columns = [
      ["From", false, (a) => nameButton(nodes[a.from]), (a) => nodes[a.from].name.toLowerCase()],
      ["To", false, (a) => nameButton(nodes[a.to]), (a) => nodes[a.to].name.toLowerCase()],
      ["Score lost", true, (a) => number(a.lost, 3), (a) => a.lost],
      ["Direction", false, (a) => (a.compelled ? "compelled" : "reversible"), (a) => (a.compelled ? 0 : 1)],
    ];
    if (hasSupport)
      columns.push(["In resamples", true, (a) => number(a.strength, 3), (a) => a.strength],
        ["In this direction", true, (a) => number(a.direction, 3), (a) => a.direction]);
    const order = arcs.slice().sort((a, b) => (b.lost === null ? -Infinity : b.lost) - (a.lost === null ? -Infinity : a.lost) || a.id - b.id);
    const compelled = arcs.filter((a) => a.compelled).length;
    const rules = story.rules || [], ignored = rules.filter((r) => !r[4]).length;
    $("strengths-note").textContent = "Score lost if the arc is removed and everything else stays. " +
      "Compelled arcs (" + compelled + ") point this way in every network with the same independences" +
      (rules.length > ignored ? " that obeys the rules on arcs, tiers and orders" : "") + "; the others (" +
      (arcs.length - compelled) + ") can be reversed: data alone cannot tell their direction." +
      (ignored ? " This ignores " + count(ignored, "rule") + " that concern" + (ignored > 1 ? "" : "s") +
      " more than arcs, tiers and orders." : "");
    $("arc-table").append(arcs.length ? longTable(columns, order, 15) : el("p", {}, "None."));
  }

  // ---- the course of the search --------------------------------------------------------

  function ticks(low, high, wanted) {
    const raw = (high - low) / wanted, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
    const list = [];
    for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-9; x += step) list.push(x);
    return { list, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
  }

  // One chart of best (1) and bound (2), or of one of them; `which` says.
  function chartOf(points, which, label) {
    const W = 1000, H = 280, left = 96, right = 76, top = 14, bottom = 30;
    const t0 = points[0][0], t1 = Math.max(points[points.length - 1][0], t0 + 1e-6);
    const values = points.flatMap((p) => which.map((k) => p[k])).filter((x) => x !== null);
    let low = Math.min(...values), high = Math.max(...values);
    const margin = (high - low || 1) * 0.07;
    low -= margin;
    high += margin;
    const X = (t) => left + (W - left - right) * (t - t0) / (t1 - t0);
    const Y = (s) => top + (H - top - bottom) * (high - s) / (high - low);
    const steps = (list, k) => list.map((p, i) => (i ? "H" + X(p[0]).toFixed(1) + "V" : "M" + X(p[0]).toFixed(1) + " ") +
      Y(p[k]).toFixed(1)).join("") + "H" + X(t1);
    const chart = svg("svg", { viewBox: "0 0 " + W + " " + H, role: "img", "aria-label": label });
    const y = ticks(low, high, 5), x = ticks(t0, t1, 8);
    y.list.forEach((s) => chart.append(svg("line", { class: "grid", x1: left, x2: W - right, y1: Y(s), y2: Y(s) }),
      svg("text", { x: left - 8, y: Y(s) + 4, "text-anchor": "end" }, number(s, y.digits))));
    x.list.forEach((t) => chart.append(svg("text", { x: X(t), y: H - 8, "text-anchor": "middle" },
      number(t, x.digits) + " s")));
    const last = points[points.length - 1];
    const close = which.length > 1 && last[2] !== null && Y(last[1]) - Y(last[2]) < 15;
    which.forEach((k) => {
      const known = points.filter((p) => p[k] !== null), name = k === 1 ? "best" : "bound";
      if (!known.length) return;
      chart.append(svg("path", { class: name, d: steps(known, k) }),
        svg("text", { class: name + "-text", x: W - right + 8, y: Y(last[k]) + (!close ? 4 : k === 1 ? 11 : -5) }, name));
    });
    return chart;
  }

  function showCourse() {
    const box = $("course"), points = story.course || [];
    if (summary.resamples !== undefined || !points.length) {
      $("search-course").remove(); // no one search
      return;
    }
    const known = (k) => points.map((p) => p[k]).filter((x) => x !== null);
    const bests = known(1), bounds = known(2);
    if (points.length < 2 || bests.length + bounds.length < 3) {
      box.append(el("p", {}, "The search ended before there was anything to draw" +
        (summary.seconds && summary.seconds.solve !== undefined ? ": " + seconds(summary.seconds.solve) : "") + "."));
      return;
    }
    box.append(chartOf(points, [1, 2], "Best score and bound over time"));
    const rise = Math.max(...bests) - Math.min(...bests);
    const all = Math.max(...bests, ...bounds) - Math.min(...bests, ...bounds);
    if (bounds.length && bests.length > 2 && rise > 0 && rise < 0.3 * all)
      box.append(el("h3", {}, "The best network alone"),
        chartOf(points.filter((p) => p[1] !== null), [1], "Best score over time"));
  }

  // ---- data, rules -----------------------------------------------------------------------

  function showData() {
    const table = story.table;
    if (!table) {
      $("data-note").textContent = "The network was learned from a score file; the table is not available.";
      $("column-table").remove();
      return;
    }
    const missing = table.columns.reduce((a, c) => a + c[0], 0);
    $("data-note").textContent = count(table.rows, "row") +
      (table.weight !== table.rows ? " with a total weight of " + number(table.weight, 0) : "") + ", " +
      count(nodes.length, "column") + ". " + (missing ? count(missing, "value") + " missing as read" +
      (table.dropped ? "; " + count(table.dropped, "row") + " with missing values " + (table.dropped === 1 ? "was" : "were") +
      " left out" : "") + "." : "No value is missing.");
    const share = (n) => {
      const counts = table.columns[n.id][1], total = counts.reduce((a, b) => a + b, 0) || 1;
      return el("div", { class: "share" }, ...counts.slice(0, 60).map((c, s) =>
        el("span", { style: "flex-grow:" + (c / total).toFixed(5), title: n.labels[s] + ": " + number(c, 0) })));
    };
    $("column-table").append(longTable([
      ["Variable", false, nameButton, (n) => n.name.toLowerCase()],
      ["States", true, (n) => number(n.labels.length, 0), (n) => n.labels.length],
      ["Missing", true, (n) => number(table.columns[n.id][0], 0), (n) => table.columns[n.id][0]],
      ["Labels", false, (n) => n.labels.slice(0, 6).join(", ") + (n.labels.length > 6 ? ", …" : "")],
      ["How often", false, share],
    ], nodes, 20));
  }

  function showRules() {
    const rules = story.rules || [];
    if (!rules.length) {
      $("rule-table").append(el("p", { class: "muted" }, "None."));
      return;
    }
    const met = rules.filter((r) => r[2]).length;
    $("rule-table").append(
      el("p", { class: "muted" }, count(rules.length, "rule") + ", " + (met === rules.length ? "all met" : met + " met") +
        ". The finished graph was checked against each by code that shares nothing with the search."),
      longTable([
        ["", false, (r) => el("span", { class: r[2] ? "yes" : "no" }, r[2] ? "✓ met" : "✗ not met")],
        ["Rule", false, (r) => el("code", {}, r[1])],
        ["From", false, (r) => r[0] || "command line"],
        ["", false, (r) => (r[3] ? "the probabilities were fitted under it" : "")],
      ], rules, 40));
  }

  // ---- where it comes from -----------------------------------------------------------------

  function showOrigin() {
    const notes = Object.fromEntries(story.notes || []);
    const list = $("provenance");
    const add = (key, value, mono) => {
      if (value === undefined || value === null || value === "") return;
      list.append(el("dt", {}, key), el("dd", { class: mono ? "mono" : null }, value));
    };
    const hash = story.hash || notes.data_sha256;
    add("Command", notes.command, true);
    add("Data", notes.data, true);
    add("SHA-256 of the table", hash, true);
    add("Version", "bestdag " + (story.version || ""));
    add("Score", summary.score_name);
    add("Candidate sets", summary.parent_sets === undefined ? null : number(summary.parent_sets, 0) +
      (summary.scores_computed === undefined ? "" : " of " + number(summary.scores_computed, 0) + " scored") +
      (summary.parents ? " by " + summary.parents : ""));
    add("Search", summary.solver && summary.steps === undefined ? summary.solver : summary.solver ? summary.solver + ", " + count(summary.steps, "step") + ", " +
      count(summary.restarts, "restart") : null);
    add("Seed", summary.seed === undefined ? null : String(summary.seed));
    add("Threads", summary.threads === undefined ? null : String(summary.threads));
    add("Settings", (story.settings || []).map(([k, v]) => k.replace(/^.*?\./, "") + " = " + v).join("; "));
    add("Begun", story.begun ? new Date(story.begun * 1000).toISOString().replace("T", " ").replace(/\..*/, " UTC") : null);
    add("Seconds", Object.entries(summary.seconds || {}).map(([k, v]) => k + " " + number(v, 3)).join(", "));
    add("Peak memory", summary.peak_memory_bytes === undefined ? null : bytes(summary.peak_memory_bytes));
    (story.machine || []).forEach(([k, v]) => add(k[0].toUpperCase() + k.slice(1), v));
    Object.keys(notes).forEach((k) => {
      if (!["title", "command", "data", "data_sha256"].includes(k)) add(k, notes[k]);
    });
    const limited = summary.status === "stopped" || summary.status === "interrupted";
    $("again").append(
      notes.command ? el("pre", {}, notes.command) : "",
      el("p", {}, "The same version, table, settings and seed give the same network, for any number of threads" +
        (limited ? "; this run was cut short, so another run may give a different result." :
          ", unless a time limit cuts the run short.") +
        (hash ? " The SHA-256 identifies the table; bestdag writes it to every network (JSON) that it fits." : "")));
  }

  // ---- light and dark ------------------------------------------------------------------------

  function setTheme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    $("theme").textContent = dark ? "Light" : "Dark";
  }
  const prefers = window.matchMedia("(prefers-color-scheme: dark)");
  setTheme(prefers.matches);
  prefers.addEventListener("change", () => setTheme(prefers.matches));
  $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme !== "dark"));
  let before = null;
  window.addEventListener("beforeprint", () => { before = document.documentElement.dataset.theme; setTheme(false); });
  window.addEventListener("afterprint", () => setTheme(before === "dark"));

  showFacts();
  draw();
  listen();
  hideWeak();
  showLegend();
  showDetail(null);
  showArcs();
  showCourse();
  showData();
  showRules();
  showOrigin();
  document.documentElement.dataset.ready = "yes";
})();
