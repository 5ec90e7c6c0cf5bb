// SPDX-License-Identifier: MIT
// evidence.js -- what the reader has set, and what follows from it.
//
// `given` is the evidence; each change keeps the one before for undo, puts the new one
// into the address of the page, and asks the network again. The network is compiled
// when the page has been drawn. Those who show answers register with onAnswer().

const given = new Map(); // as in propagation.js and mixture.js
const earlier = []; // texts of evidence
let tree = null; // the compiled network
let refusal = "Computing …"; // why there are no answers; "": there are
let prior = null; // the answer without evidence
let answer = null; // { log, marginals, best: { log, states } }; marginals null: impossible
const showers = [];
const onAnswer = (show) => showers.push(show);

function whyNot() {
  if (nodes.some(isNumber))
    return canAskNumbers ? "Select a variable to see its " + (nodes.every(isNumber) ? "density" : "density or probabilities") +
      ", and say what is known of it." :
      "This page does not compute with so many numbers and configurations of states; “bestdag query” can answer.";
  if (!nodes.length || nodes.some((n) => !n.rows))
    return "This network has no probabilities, so there is nothing to ask it.";
  if (!story.whole)
    return "The tables of this network are too large for a page, so that it cannot be asked here; " +
      "“bestdag query” can answer.";
  return "";
}

// A tree from which on a query takes longer than a reader should wait without being told.
const SLOW = 4000000; // numbers in its cliques
const isSlow = () => Boolean(tree) && tree.numbers > SLOW;

// Compiles and answers without evidence. A phone has less memory.
function compile() {
  const before = performance.now(), limit = window.matchMedia("(pointer: coarse)").matches ? SLOW : MOST_NUMBERS;
  refusal = whyNot();
  try {
    if (!refusal) tree = compileNetwork(networkOf(), limit);
    if (tree) prior = solve(new Map());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    tree = null; // there is no room for its tables
  }
  if (!refusal && !tree)
    refusal = "This page cannot compute the network's probabilities: the cliques of its junction tree hold more than " +
      number(limit, 0) + " numbers, or more than this browser has room for. “bestdag query” can use more memory, or sample.";
  document.documentElement.dataset.compiled = (performance.now() - before).toFixed(1);
}

// contradiction: null where finding it would take long.
function solve(evidence) {
  const { log, marginals } = marginalsOf(tree, evidence);
  return { log, marginals, best: marginals ? explanationOf(tree, evidence) : null,
    contradiction: marginals || tree.numbers * evidence.size > 10 * SLOW ? null : contradictionOf(tree, evidence) };
}

let asked = null;
// Asks soon: the click is shown first, and that there is something to wait for.
function ask() {
  clearTimeout(asked);
  if (isSlow()) showWaiting();
  asked = setTimeout(() => {
    const before = performance.now();
    if (tree) answer = given.size ? solve(given) : prior;
    showers.forEach((show) => show());
    const { dataset } = document.documentElement;
    dataset.asked = Number(dataset.asked || 0) + 1;
    dataset.took = (performance.now() - before).toFixed(1);
  }, isSlow() ? 50 : 0);
}

const textOfGiven = () => evidenceText(nodes, given);
const LINK = "#given:";

function putLink() {
  const text = textOfGiven();
  const link = text ? LINK + encodeURIComponent(text) : "#";
  try {
    history.replaceState(null, "", text ? link : location.pathname + location.search);
  } catch (error) {
    location.hash = link; // where a page may not change its address
  }
}

function replaceGiven(evidence) {
  given.clear();
  evidence.forEach((item, v) => given.set(v, item));
}

// Makes a change of `given` that can be undone.
function change(make) {
  const before = textOfGiven();
  make();
  if (textOfGiven() === before) return;
  earlier.push(before);
  putLink();
  ask();
}

// A click on a state: sets it, or takes it back; with Shift, or when the reader wishes
// so, by an intervention; with Ctrl as one of several states.
function toggleState(node, state, event) {
  const isDo = event.shiftKey || $("do-mode").checked, more = event.ctrlKey || event.metaKey;
  if (refusal && refusal !== "Computing …") return;
  change(() => {
    const old = given.get(node.id);
    let states = [state];
    if (old && more && !isDo && !old.isDo)
      states = old.states.includes(state) ? old.states.filter((s) => s !== state) : [...old.states, state].sort((a, b) => a - b);
    else if (old && old.isDo === isDo && old.states.length === 1 && old.states[0] === state) states = [];
    if (!states.length || (!isDo && states.length === node.labels.length && states.length > 1)) given.delete(node.id);
    else given.set(node.id, { states, isDo });
  });
}
const dropGiven = (v) => change(() => given.delete(v));
const resetGiven = () => change(() => given.clear());
function undo() {
  if (!earlier.length) return;
  replaceGiven(parseEvidence(nodes, earlier.pop()));
  putLink();
  ask();
}

// The evidence in the address, when the page opens or the address is edited.
function readLink() {
  const { hash } = location;
  if (!hash.startsWith(LINK)) return;
  let text = "";
  try {
    text = decodeURIComponent(hash.slice(LINK.length));
  } catch (error) {
    return; // not an address that we made
  }
  const unknown = [];
  replaceGiven(parseEvidence(nodes, text, unknown));
  if (unknown.length) $("found").textContent = "This network does not have what the link says of it: " + unknown.join(", ") + ".";
}

// How far the marginal of a variable has moved: half the sum of absolute differences.
function changeOf(v) {
  if (!answer || !answer.marginals || answer === prior) return 0;
  return prior.marginals[v].reduce((sum, p, s) => sum + Math.abs(p - answer.marginals[v][s]), 0) / 2;
}

function startAsking() {
  readLink();
  window.addEventListener("hashchange", () => {
    const before = textOfGiven();
    readLink();
    if (textOfGiven() !== before) earlier.push(before);
    ask();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "z" || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    undo();
  });
  // After the first paint: two frames, then when there is nothing else to do.
  const later = window.requestIdleCallback || ((run) => setTimeout(run, 30));
  requestAnimationFrame(() => requestAnimationFrame(() => later(() => { compile(); ask(); })));
}
