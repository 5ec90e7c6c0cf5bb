// SPDX-License-Identifier: MIT
// ask.js FOLDER PAGE < EVIDENCE -- what a page would answer, without a browser.
//
// FOLDER is src/report/page. Each line of standard input is evidence as in the page's
// link; each line of output a JSON object like that of `bestdag query --json`:
// evidence_probability, marginals, explanation (probability given the evidence, states).
"use strict";
const fs = require("fs");
const path = require("path");

const [folder, page] = process.argv.slice(2);
const text = fs.readFileSync(page, "utf8");
const data = text.match(/<script type="application\/json" id="story">(.*?)<\/script>/s)[1];
const names = ["story.js", "triangulation.js", "junction_tree.js", "propagation.js", "evidence_text.js"];
const source = names.map((name) => fs.readFileSync(path.join(folder, name), "utf8")).join("\n");
const ask = new Function("document", '"use strict";' + source + `
  const tree = compileNetwork(networkOf());
  return (line) => {
    const evidence = parseEvidence(nodes, line);
    if (evidenceText(nodes, parseEvidence(nodes, evidenceText(nodes, evidence))) !== evidenceText(nodes, evidence))
      throw new Error("evidence changes when it is written and read: " + line);
    const { log, marginals } = marginalsOf(tree, evidence), best = explanationOf(tree, evidence);
    const byLabel = (list, v) => Object.fromEntries([...list].map((p, s) => [nodes[v].labels[s], p]));
    return {
      items: evidence.size,
      evidence_probability: Math.exp(log),
      marginals: marginals && Object.fromEntries(marginals.map((m, v) => [nodes[v].name, byLabel(m, v)])),
      explanation: marginals && { probability: Math.exp(best.log - log),
        states: Object.fromEntries(best.states.map((s, v) => [nodes[v].name, nodes[v].labels[s]])) },
    };
  };`)({ getElementById: () => ({ textContent: data }) });

fs.readFileSync(0, "utf8").split("\n").slice(0, -1).forEach((line) => console.log(JSON.stringify(ask(line))));
