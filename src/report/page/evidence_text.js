// SPDX-License-Identifier: MIT
// evidence_text.js -- evidence as a text, in the language of `bestdag query`:
//
//     fog=yes, season in winter spring, do(lamp=dark)
//
// Names and labels are words, or stand in double quotes, in which a quote is doubled.
// `variables` are { name, labels }, and { regression } if they are numbers; evidence is as
// in propagation.js and mixture.js.

const quoted = (word) =>
  (/^[^\s#",:|()<>=+*~;]+$/.test(word) && !/^(do|in)$/.test(word) ? word : '"' + word.replace(/"/g, '""') + '"');

function itemText(variable, { states, value, isDo }) {
  const labels = value === undefined ? states.map((s) => quoted(variable.labels[s])) : [String(value)];
  if (isDo) return "do(" + quoted(variable.name) + "=" + labels[0] + ")";
  return labels.length === 1 ? quoted(variable.name) + "=" + labels[0] :
    quoted(variable.name) + " in " + labels.join(" ");
}

const evidenceText = (variables, evidence) =>
  [...evidence].map(([v, item]) => itemText(variables[v], item)).join(", ");

// Words (without their quotes) and signs: [{ text, isSign }].
function evidenceTokens(text) {
  const tokens = [], pattern = /\s*(?:"((?:[^"]|"")*)"|([,=()])|([^\s",=()]+))/gy;
  let found;
  while (pattern.lastIndex < text.length && (found = pattern.exec(text)))
    tokens.push(found[2] ? { text: found[2], isSign: true } :
      { text: found[1] === undefined ? found[3] : found[1].replace(/""/g, '"'), isQuoted: found[1] !== undefined });
  return tokens;
}

// The evidence of a text; what the variables do not have is passed over, and listed in `unknown`.
function parseEvidence(variables, text, unknown = []) {
  const evidence = new Map(), tokens = evidenceTokens(text);
  const byName = new Map(variables.map((x, v) => [x.name, v]));
  let i = 0;
  const isSign = (sign) => i < tokens.length && tokens[i].isSign && tokens[i].text === sign;
  const isWord = () => i < tokens.length && !tokens[i].isSign;
  const set = (name, words, isDo) => {
    const v = byName.get(name);
    if (v !== undefined) setItem(v, words, isDo);
    if (!evidence.has(v)) unknown.push(name + (words.length ? "=" + words.join(" ") : ""));
  };
  const setItem = (v, words, isDo) => {
    if (variables[v].regression !== undefined) {
      if (words.length && isFinite(Number(words[0]))) evidence.set(v, { value: Number(words[0]), isDo });
      return;
    }
    const states = words.map((w) => variables[v].labels.indexOf(w)).filter((s) => s >= 0);
    if (states.length) evidence.set(v, { states: [...new Set(states)].sort((a, b) => a - b), isDo });
  };
  let inside = false; // of do( )
  while (i < tokens.length) {
    if (isSign(",") || isSign("(")) i++;
    else if (isSign(")")) {
      inside = false;
      i++;
    } else if (isWord() && tokens[i].text === "do" && !tokens[i].isQuoted && tokens[i + 1] &&
      tokens[i + 1].isSign && tokens[i + 1].text === "(") {
      inside = true;
      i += 2;
    } else if (isWord()) {
      const name = tokens[i++].text, words = [];
      if (isSign("=") || (isWord() && tokens[i].text === "in" && !tokens[i].isQuoted)) i++;
      while (isWord()) words.push(tokens[i++].text);
      set(name, words, inside);
    } else i++;
  }
  return evidence;
}
