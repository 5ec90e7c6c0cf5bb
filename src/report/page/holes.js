// SPDX-License-Identifier: MIT
// holes.js -- which values were missing together: a row for each pattern, as high as the
// rows it stands for, a column for each column of the table that lacks something.

// Columns that some pattern lacks, those that lack most first.
function columnsWithHoles(patterns) {
  const lacked = new Map();
  patterns.forEach(([rows, missing]) => missing.forEach((c) => lacked.set(c, (lacked.get(c) || 0) + rows)));
  return [...lacked.keys()].sort((a, b) => lacked.get(b) - lacked.get(a) || a - b);
}

// The names above columns of a width, upright where they would overlap otherwise; how high they are, and how far they
// reach beyond the last column.
function nameRow(names, wide) {
  const angle = wide < 22 ? 90 : 60, turn = angle * Math.PI / 180, font = "12px", shown = names.map((name) => shorten(name, 150, font));
  const lengths = shown.map((name) => widthOfText(name, font));
  const texts = shown.map((name, i) => svg("text", { transform: "translate(" + (wide * (i + 0.5) + 4).toFixed(1) + ",-6) rotate(-" + angle + ")" },
    name, svg("title", {}, names[i])));
  return { texts, high: Math.max(0, ...lengths) * Math.sin(turn) + 20,
    beyond: Math.max(0, ...lengths.map((x, i) => x * Math.cos(turn) - wide * (names.length - i - 0.5))) + 12 };
}

function holesPicture(holes, columns, nameOf) {
  const complete = holes.rows - holes.incomplete, most = Math.max(complete, ...holes.patterns.map((p) => p[0]), 1);
  const left = innerWidth < 600 ? 56 : 96, room = Math.min(700, innerWidth - 60 - left); // on a telephone too the letters keep their size
  const wide = Math.max(8, Math.min(34, room / columns.length)), names = nameRow(columns.length > 60 ? [] : columns.map(nameOf), wide);
  const height = (rows) => 11 + 23 * Math.sqrt(rows / most); // the numbers of rare patterns can be read
  const picture = svg("svg", { role: "img", "aria-label": "Patterns of missing values" },
    svg("g", { transform: "translate(" + left + "," + names.high.toFixed(1) + ")" }, ...names.texts));
  let y = names.high;
  [[complete, []], ...holes.patterns].forEach(([rows, missing]) => {
    const h = height(rows), lacks = new Set(missing);
    picture.append(svg("text", { x: left - 8, y: (y + h / 2 + 4).toFixed(1), "text-anchor": "end" }, number(rows, 0)));
    columns.forEach((c, i) => picture.append(svg("rect", { class: lacks.has(c) ? "hole" : "value",
      x: (left + wide * i).toFixed(1), y: y.toFixed(1), width: (wide - 1).toFixed(1), height: h.toFixed(1) },
    svg("title", {}, nameOf(c) + (lacks.has(c) ? ": missing" : ": there") + " in these " + count(rows, "row")))));
    y += h + 2;
  });
  const all = Math.ceil(left + wide * columns.length + names.beyond);
  return fill(picture, { viewBox: "0 0 " + all + " " + Math.ceil(y + 4), style: "max-width:" + all + "px" }, []);
}

function showHoles() {
  const holes = story.holes, box = $("holes");
  if (!box) return;
  if (!holes || !holes.patterns.length) {
    box.remove();
    return;
  }
  const columns = columnsWithHoles(holes.patterns).slice(0, 200);
  const shown = holes.patterns.reduce((sum, p) => sum + p[0], 0);
  box.append(el("h3", {}, "Missing values"),
    el("p", { class: "muted" }, number(holes.incomplete, 0) + " of " + count(holes.rows, "row") + " lack a value, in " +
      count(holes.different, "pattern") + ". A line is a pattern, with the number of its rows at the left (the first: " +
      "rows that lack nothing); marked cells are missing." +
      (shown < holes.incomplete ? " The most frequent patterns are shown; " + number(holes.incomplete - shown, 0) +
        " rows have others." : "")),
    el("div", { class: "scroll" }, holesPicture(holes, columns, (c) => nodes[c].name)));
}
