// SPDX-License-Identifier: MIT
// course.js -- best score and bound over time.

function ticks(low, high, wanted) {
  const raw = (high - low) / wanted, power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const list = [];
  for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-9; x += step) list.push(x);
  return { list, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

// One chart of best (1) and bound (2), or of one of them; `which` says.
function chartOf(points, which, label) {
  const W = Math.min(1000, Math.max(300, $("course").clientWidth - 30)), H = W < 600 ? 220 : 280; // letters keep their size
  const left = W < 600 ? 72 : 96, right = W < 600 ? 50 : 76, top = 14, bottom = 30;
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
  const y = ticks(low, high, 5), x = ticks(t0, t1, W < 600 ? 3 : 8);
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
