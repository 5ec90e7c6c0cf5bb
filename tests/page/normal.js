// SPDX-License-Identifier: MIT
// normal.js FOLDER FILE -- the page's mixtures of joint normals against `bestdag query`:
// FILE has lines "network as JSON<TAB>seen as JSON<TAB>answers as JSON", an answer for each
// variable: [mean, sd], or the probabilities of its states; or null: impossible.
"use strict";
const fs = require("fs");
const path = require("path");

const read = (name) => fs.readFileSync(path.join(process.argv[2], name), "utf8");
const { askMixture } = new Function('"use strict";' + read("normal.js") + read("mixture.js") + "return { askMixture };")();
let checked = 0;
const fail = (line, text) => {
  console.error(line + "\n" + text);
  process.exit(1);
};
fs.readFileSync(process.argv[3], "utf8").trim().split("\n").forEach((line) => {
  const [network, seen, want] = line.split("\t").map((text) => JSON.parse(text));
  const got = askMixture(network, new Map(seen));
  if (!want !== !got) fail(line, "one of both is impossible");
  if (!want) return;
  want.forEach((answer, v) => {
    const mine = network.states[v] ? got.p[v] : [got.mean[v], got.sd[v]];
    answer.forEach((x, i) => {
      checked++;
      if (!(Math.abs(mine[i] - x) <= 1e-9 * (1 + Math.abs(x)))) fail(line, v + ": " + mine + " is not " + answer);
    });
  });
});
if (!checked) fail("", "nothing was checked");
console.log(checked + " checks");
