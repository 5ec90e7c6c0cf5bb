// SPDX-License-Identifier: MIT
// origin.js -- provenance: where the network comes from, and how to find it again.

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
  if (!isOfRun) {
    $("reproduce").remove();
    return;
  }
  const limited = summary.status === "stopped" || summary.status === "interrupted";
  $("again").append(
    notes.command ? el("pre", {}, notes.command) : "",
    el("p", {}, "The same version, table, settings and seed give the same network, for any number of threads" +
      (limited ? "; this run was cut short, so another run may give a different result." :
        ", unless a time limit cuts the run short.") +
      (hash ? " The SHA-256 identifies the table; bestdag writes it to every network (JSON) that it fits." : "")));
}
