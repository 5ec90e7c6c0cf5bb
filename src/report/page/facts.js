// SPDX-License-Identifier: MIT
// facts.js -- the head of the page: what was found and proved.

const OVER = summary.proved_over === "candidate sets" ? "the candidate sets" : summary.proved_over;
const OF = summary.em ? ", of " + summary.em.score_of : ""; // values were missing: what was proved

function verdict() {
  const room = summary.bound - summary.score;
  const ending = { stopped: "Stopped at a limit. ", interrupted: "Interrupted. " }[summary.status] || "";
  if (summary.resamples !== undefined)
    return [ending, "The average of ", el("strong", { class: "proved" }, count(summary.resamples, "network")),
      " learned from resamples, with the arcs that are in more than " + number(100 * summary.threshold, 1) + " % of them."];
  if (summary.status === "optimal")
    return [el("strong", { class: "proved" }, "Proved optimal"), " over " + OVER + OF + "."];
  if (summary.score === undefined) return [];
  if (!isFinite(room)) return [ending, el("strong", {}, "Not proved optimal"), "; no bound is known."];
  return [ending, el("strong", {}, "Not proved optimal"), ": at most " +
    total(Math.ceil(room * 1000) / 1000) + " below the optimum over these parent sets" + OF + "."];
}

function showFacts() {
  const facts = $("facts");
  $("version").textContent = story.version || "";
  $("title").textContent = story.title || "A Bayesian network";
  $("verdict").append(...verdict());
  facts.classList.toggle("few", !isOfRun);
  pair(facts, "Variables", number(nodes.length, 0));
  pair(facts, "Arcs", number(arcs.length, 0));
  const numbers = nodes.reduce((sum, n) => sum + n.rows * n.labels.length, 0);
  if (!isOfRun && numberCount) pair(facts, "Numbers", number(numberCount, 0));
  if (!isOfRun && numbers) pair(facts, "Probabilities", number(numbers, 0));
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
