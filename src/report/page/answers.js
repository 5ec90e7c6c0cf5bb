// SPDX-License-Identifier: MIT
// answers.js -- the strip above the drawing: the evidence, its probability, the most
// probable explanation; undo, reset, link.

// The states, or the number, that a variable is known to have.
const valuesOf = (v, item) => (item.value === undefined ? item.states.map((s) => nodes[v].labels[s]) : [brief(item.value)]);

function chip(v, item) {
  const what = nodes[v].name + (valuesOf(v, item).length > 1 ? " in " : " = ") + valuesOf(v, item).join(", ");
  const text = item.isDo ? "do(" + what + ")" : what;
  return el("li", { class: item.isDo ? "chip do" : "chip" }, clipped(text),
    el("button", { type: "button", "aria-label": "Remove " + text, onclick: () => dropGiven(v) }, "×"));
}

const hasDo = () => [...given.values()].some((item) => item.isDo);
const hasSeen = () => [...given.values()].some((item) => !item.isDo);

function listContradiction() {
  if (!answer.contradiction) return "";
  const part = [...answer.contradiction].map(([v, item]) => itemText(nodes[v], item));
  return part.length < given.size ? "These contradict each other: " + part.join(", ") + "." :
    part.length > 1 ? "These contradict each other, and no fewer of them do." : "The network gives it probability 0.";
}

// [title, value, what it means]
function answerFacts() {
  if (!answer || !answer.marginals) return [];
  const facts = [];
  if (hasSeen())
    facts.push(["P(evidence" + (hasDo() ? " | do)" : ")"), probability(answer.log),
      "the joint probability of the evidence" + (hasDo() ? " under the interventions" : "")]);
  facts.push(["P(explanation" + (given.size ? " | …)" : ")"), probability(answer.best.log - answer.log),
    "the most probable states of all variables together" + (given.size ? ", given what is set" : "")]);
  return facts;
}

const showChips = () => $("chips").replaceChildren(...[...given].map(([v, item]) => chip(v, item)));

function showWaiting() {
  showChips();
  $("answer-facts").replaceChildren("Computing …");
}

function showStrip() {
  const strip = $("strip");
  showChips();
  $("hint").hidden = given.size > 0 || Boolean(refusal);
  $("refusal").textContent = refusal;
  $("refusal").hidden = !refusal || (canAskNumbers && given.size > 0);
  strip.classList.toggle("off", Boolean(refusal) && !canAskNumbers);
  strip.classList.toggle("numbers", canAskNumbers);
  $("undo").disabled = !earlier.length;
  $("reset").disabled = $("copy-link").disabled = !given.size;
  const impossible = Boolean(answer && !answer.marginals);
  $("impossible").hidden = !impossible;
  $("impossible").textContent = impossible ? "This evidence is impossible. " + listContradiction() : "";
  $("answer-facts").replaceChildren();
  answerFacts().forEach(([title, value, meaning]) =>
    $("answer-facts").append(el("div", { title: meaning }, el("dt", {}, title), el("dd", {}, value))));
  showExplanation();
  announce(impossible);
}

// For those who cannot see the bars move.
function announce(impossible) {
  if (!answer) return;
  const most = nodes.filter((n) => !given.has(n.id)).map((n) => [n, changeOf(n.id)])
    .sort((a, b) => b[1] - a[1]).slice(0, 3).filter(([, x]) => x >= 0.005);
  $("said").textContent = impossible ? "This evidence is impossible." : !given.size ? "No evidence." :
    "Given " + textOfGiven() + ": probability of the evidence " + probability(answer.log) + ". " +
    most.map(([n]) => mostMoved(n).text).join(". ");
}

// The state of a variable that moved most, and by how much.
function mostMoved(node) {
  const was = prior.marginals[node.id], now = answer.marginals[node.id];
  let best = 0;
  now.forEach((p, s) => { if (Math.abs(p - was[s]) > Math.abs(now[best] - was[best])) best = s; });
  return { state: best, was: was[best], now: now[best],
    text: node.name + " = " + node.labels[best] + ": " + percent(was[best]) + " % to " + percent(now[best]) + " %" };
}

function showExplanation() {
  const box = $("explanation"), has = Boolean(answer && answer.marginals);
  box.hidden = !has;
  if (!has || !box.open) return;
  const { states } = answer.best, before = prior.best.states;
  $("explanation-states").replaceChildren(...nodes.map((n) =>
    el("li", { class: given.has(n.id) ? (given.get(n.id).isDo ? "do" : "given") : states[n.id] !== before[n.id] ? "other" : null },
      el("span", { class: "muted" }, n.name), " ", n.labels[states[n.id]])));
  $("explanation-note").textContent = "The most probable states of all variables together" +
    (given.size ? ", given what is set; those that differ from the explanation without evidence are marked." : ".");
}

function copyLink() {
  const button = $("copy-link"), link = location.href;
  const done = (text) => {
    button.textContent = text;
    setTimeout(() => { button.textContent = "Copy link"; }, 1600);
  };
  const byHand = () => { // where a page may not use the clipboard
    const field = el("input", { value: link, "aria-label": "Link to this evidence" });
    button.after(field);
    field.select();
    const copied = document.execCommand && document.execCommand("copy");
    field.remove();
    done(copied ? "Copied" : "See the address bar");
  };
  if (navigator.clipboard) navigator.clipboard.writeText(link).then(() => done("Copied"), byHand);
  else byHand();
}

function startStrip() {
  $("undo").addEventListener("click", undo);
  $("reset").addEventListener("click", resetGiven);
  $("copy-link").addEventListener("click", copyLink);
  $("explanation").addEventListener("toggle", showExplanation);
  onAnswer(showStrip);
  refusal = whyNot() || refusal;
  showStrip();
}
