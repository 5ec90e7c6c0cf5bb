// SPDX-License-Identifier: MIT
// normal.js FOLDER FILE -- the page's joint normals against `bestdag query`: FILE has
// lines "network as JSON<TAB>seen as JSON<TAB>means and sds".
"use strict";
const fs = require("fs");
const path = require("path");

const source = fs.readFileSync(path.join(process.argv[2], "normal.js"), "utf8");
const { conditionNormal } = new Function('"use strict";' + source + "return { conditionNormal };")();
let checked = 0;
fs.readFileSync(process.argv[3], "utf8").trim().split("\n").forEach((line) => {
  const [network, seen, want] = line.split("\t").map((text) => JSON.parse(text));
  const got = conditionNormal(network, new Map(seen));
  want.forEach(([mean, sd], v) => {
    checked++;
    const near = (a, b) => Math.abs(a - b) <= 1e-7 * (1 + Math.abs(b));
    if (near(got.mean[v], mean) && near(got.sd[v], sd)) return;
    console.error(line + "\n" + v + ": " + got.mean[v] + " " + got.sd[v] + " are not " + mean + " " + sd);
    process.exit(1);
  });
});
console.log(checked + " checks");
