// SPDX-License-Identifier: MIT
// walk.js FOLDER PAGE [SEED] -- random clicks on a page without a browser: evidence,
// interventions, several states, undo, reset, links opened again.
//
// FOLDER is src/report/page. A plain model says what must be set after each step, and
// brute force over all joint states what the page must answer. Prints the seed and the
// steps of what fails, and exits with 1.
"use strict";
const fs = require("fs");
const path = require("path");

const [folder, page] = process.argv.slice(2);
const data = fs.readFileSync(page, "utf8").match(/<script type="application\/json" id="story">(.*?)<\/script>/s)[1];
const names = ["story.js", "triangulation.js", "junction_tree.js", "propagation.js", "evidence_text.js", "evidence.js", "normal.js", "numbers.js"];
const source = names.map((name) => fs.readFileSync(path.join(folder, name), "utf8")).join("\n");

// A page that was opened at an address.
function open(hash) {
  const listeners = {}, elements = { story: { textContent: data }, "do-mode": { checked: false } };
  const location = { hash, pathname: "page", search: "", href: "page" };
  let later = null;
  const surroundings = {
    document: { getElementById: (id) => elements[id], documentElement: { dataset: {} },
      addEventListener: (name, listen) => { listeners[name] = listen; } },
    window: { addEventListener: (name, listen) => { listeners[name] = listen; }, matchMedia: () => ({ matches: false }) },
    location, history: { replaceState: (_, __, link) => { location.hash = link.startsWith("#") ? link : ""; } },
    performance: { now: () => 0 }, number: String, $: (id) => elements[id],
    setTimeout: (run) => { later = run; }, clearTimeout: () => { later = null; }, requestAnimationFrame: () => {},
  };
  const inside = new Function(...Object.keys(surroundings), '"use strict";' + source + `
    startAsking(); compile(); ask();
    return { nodes, given, networkOf, toggleState, dropGiven, resetGiven, undo, answer: () => answer, prior: () => prior };`)(
    ...Object.values(surroundings));
  const settle = () => { if (later) later(); later = null; };
  settle();
  return { ...inside, settle, location, listeners, doMode: elements["do-mode"] };
}

let seed = Number(process.argv[4] || 1), steps = [];
function hold(condition, what) {
  if (condition) return;
  console.error("seed " + seed + ": " + what + "; steps: " + steps.join("; "));
  process.exit(1);
}

let random = 1;
const below = (n) => { random = (Math.imul(random, 1664525) + 1013904223) >>> 0; return Math.floor(random / 4294967296 * n); };

// All joint states: P(evidence), marginals, the best.
function bruteForce({ cards, parents, tables }, given) {
  const states = cards.map(() => 0), marginals = cards.map((c) => new Array(c).fill(0));
  let total = 0, best = 0;
  const weigh = (at) => cards.reduce((p, card, v) => {
    const item = given.get(v);
    if (item && !item.states.includes(at[v])) return 0;
    return item && item.isDo ? p : p * tables[v][parents[v].reduce((r, u) => r * cards[u] + at[u], 0) * card + at[v]];
  }, 1);
  for (let more = true; more;) {
    const p = weigh(states);
    total += p;
    best = Math.max(best, p);
    states.forEach((s, v) => { marginals[v][s] += p; });
    more = false;
    for (let v = cards.length - 1; v >= 0 && !more; v--) {
      states[v] = (states[v] + 1) % cards[v];
      more = states[v] > 0;
    }
  }
  return { total, best, weigh, marginals };
}

const near = (a, b) => Math.abs(a - b) < 1e-10;
const textOf = (given) => [...given].map(([v, { states, isDo }]) => (isDo ? "do " : "") + v + ":" + states).sort().join(" ");

function checkAnswer(opened, network) {
  const { answer, given } = opened, right = bruteForce(network, given), got = answer();
  hold(near(Math.exp(got.log), right.total), "probability of the evidence");
  hold((got.marginals === null) === (right.total === 0), "impossible evidence");
  hold((got === opened.prior()) === (given.size === 0), "without evidence");
  if (!got.marginals) return;
  right.marginals.forEach((m, v) => m.forEach((p, s) => hold(near(p / right.total, got.marginals[v][s]), "a marginal")));
  hold(near(right.weigh(got.best.states), right.best), "the explanation");
  hold(near(Math.exp(got.best.log), right.best), "the probability of the explanation");
}

// What a click must do, said again.
function model(given, v, labels, s, isDo, more) {
  const old = given.get(v), next = new Map(given);
  if (more && !isDo && old && !old.isDo) {
    const set = new Set(old.states);
    if (!set.delete(s)) set.add(s);
    if (!set.size || set.size === labels) next.delete(v);
    else next.set(v, { states: [...set].sort((a, b) => a - b), isDo });
  } else if (old && old.isDo === isDo && old.states.length === 1 && old.states[0] === s) next.delete(v);
  else next.set(v, { states: [s], isDo });
  return next;
}

function walk() {
  let opened = open(""), now = new Map();
  const network = opened.networkOf(), earlier = [];
  steps = [];
  const step = (what, act, next) => {
    steps.push(what);
    if (textOf(next) !== textOf(now)) earlier.push(now);
    act();
    now = next;
  };
  for (let k = 0; k < 14; k++) {
    const v = below(opened.nodes.length), labels = opened.nodes[v].labels.length, s = below(labels), kind = below(10);
    if (kind < 6) {
      const event = { shiftKey: kind === 0, ctrlKey: kind > 3, metaKey: false };
      opened.doMode.checked = kind === 1;
      step("click " + v + " " + s + " kind " + kind, () => opened.toggleState(opened.nodes[v], s, event),
        model(now, v, labels, s, kind < 2, kind > 3));
      opened.doMode.checked = false;
    } else if (kind === 6) {
      const next = new Map(now);
      next.delete(v);
      step("drop " + v, () => opened.dropGiven(v), next);
    } else if (kind === 7 && below(3) === 0) step("reset", () => opened.resetGiven(), new Map());
    else if (kind === 8) {
      steps.push("open the link");
      opened = open(opened.location.hash);
      earlier.length = 0; // a page that was just opened has nothing to undo
    } else {
      steps.push("undo");
      if (below(2)) opened.undo();
      else opened.listeners.keydown({ key: "z", target: { tagName: "BODY" }, preventDefault: () => {} });
      if (earlier.length) now = earlier.pop();
    }
    opened.settle();
    hold(textOf(opened.given) === textOf(now), "set is " + textOf(opened.given) + ", not " + textOf(now));
    hold((opened.location.hash === "") === (now.size === 0), "the link " + opened.location.hash);
    checkAnswer(opened, network);
  }
}

const first = seed;
for (; seed < first + 40; seed++) {
  random = Math.imul(seed, 2654435761) >>> 0;
  walk();
}
console.log("40 walks of 14 steps");
