// SPDX-License-Identifier: MIT
// numbers.js FOLDER PAGE NETWORK BESTDAG SEED COUNT -- the page of a network with numbers
// against `bestdag query`: random evidence on states and numbers, and interventions.
//
// FOLDER is src/report/page. Prints the seed of what fails, and exits with 1.
"use strict";
const fs = require("fs");
const path = require("path");
const { spawnSync } = require("child_process");

const [folder, page, network, command, seedText, countText] = process.argv.slice(2);
const data = fs.readFileSync(page, "utf8").match(/<script type="application\/json" id="story">(.*?)<\/script>/s)[1];
const names = ["story.js", "triangulation.js", "junction_tree.js", "propagation.js", "evidence_text.js", "normal.js",
  "mixture.js", "numbers.js"];
const source = names.map((name) => fs.readFileSync(path.join(folder, name), "utf8")).join("\n");
const { nodes, ask, isNumber, canAskNumbers, parseEvidence, evidenceText } = new Function("document", "given",
  '"use strict";' + source + "return { nodes, ask: (seen) => askMixture(mixedNetwork, seen), isNumber, canAskNumbers, " +
  "parseEvidence, evidenceText };")({ getElementById: () => ({ textContent: data }) }, new Map());

let seed = Number(seedText);
function fail(text) {
  console.error("seed " + seedText + ": " + text);
  process.exit(1);
}
function below(n) { // a linear congruential generator: the same on every machine
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor(seed / 4294967296 * n);
}

const start = ask(new Map());
function draw() {
  const seen = new Map();
  for (let left = 1 + below(4); left > 0; left--) {
    const v = below(nodes.length), isDo = below(4) === 0;
    seen.set(v, isNumber(nodes[v]) ? { value: Number((start.mean[v] + start.sd[v] * (below(41) - 20) / 10).toPrecision(6)), isDo } :
      { states: [...new Set([below(nodes[v].labels.length), ...(isDo || below(3) ? [] : [below(nodes[v].labels.length)])])].sort((a, b) => a - b), isDo });
  }
  return seen;
}

let possible = 0;
function check(seen) {
  const text = evidenceText(nodes, seen), mine = ask(seen);
  if (evidenceText(nodes, parseEvidence(nodes, text)) !== text) fail("evidence changes when it is written and read: " + text);
  const said = spawnSync(command, ["query", network, "| " + text, "--json", "-q"], { encoding: "utf8" });
  if ((said.status === 4) !== !mine) fail(text + ": one of both says impossible: " + said.stderr);
  if (!mine) return;
  const right = JSON.parse(said.stdout);
  const isNear = (a, b, what) => { if (!(Math.abs(a - b) <= 1e-9 * (1 + Math.abs(b)))) fail(text + ": " + what + " is " + a + ", not " + b); };
  nodes.forEach((n, v) => {
    if (isNumber(n)) {
      isNear(mine.mean[v], right.numbers[n.name].mean, "mean of " + n.name);
      isNear(mine.sd[v], right.numbers[n.name].sd, "sd of " + n.name);
    } else n.labels.forEach((label, s) => isNear(mine.p[v][s], right.marginals[n.name][label], n.name + "=" + label));
  });
  possible++;
}
if (!canAskNumbers) fail("the page does not compute");
for (let i = 0; i < Number(countText); i++) check(draw());
if (possible < Number(countText) / 2) fail("only " + possible + " were possible");
console.log(possible + " random evidence sets agree to 1e-9");
