// SPDX-License-Identifier: MIT
// monitors.js -- the states of a variable as rows of buttons with bars: the
// probability now, a mark where it was without evidence, and the difference; the state of
// the most probable explanation is bold. A click sets evidence, with Shift an intervention,
// with Ctrl one of several states; Enter does the same.

const live = new Set(); // monitors to be brought up to date

// What a state's row says, for its label and for the drawing.
function stateOf(node, s) {
  const item = given.get(node.id);
  const now = answer && answer.marginals ? answer.marginals[node.id][s] : null;
  const was = prior ? prior.marginals[node.id][s] : null;
  return {
    now, was,
    isGiven: Boolean(item && item.states.includes(s)), isDo: Boolean(item && item.isDo),
    isBest: Boolean(answer && answer.best && answer.best.states[node.id] === s),
  };
}

function stateLabel(node, s) {
  const { now, was, isGiven, isDo, isBest } = stateOf(node, s);
  return node.name + " = " + node.labels[s] + (now === null ? "" : ", " + percent(now) + " %") +
    (given.size && now !== null && was !== null ? ", without evidence " + percent(was) + " %" : "") +
    (isBest ? ", in the most probable explanation" : "") +
    (isGiven ? (isDo ? ", set by intervention" : ", set as evidence") : "");
}

function stateRow(node, s) {
  const bar = el("span", { class: "now" }), mark = el("span", { class: "was" });
  const value = el("span", { class: "value" }), moved = el("span", { class: "moved" });
  const button = el("button", { type: "button", class: "state", "data-state": s,
    onclick: (event) => toggleState(node, s, event) },
  el("span", { class: "label" }, node.labels[s]), el("span", { class: "track" }, bar, mark), value, moved);
  const show = () => {
    const { now, was, isGiven, isDo, isBest } = stateOf(node, s);
    button.setAttribute("aria-pressed", String(isGiven));
    button.setAttribute("aria-label", stateLabel(node, s));
    button.title = now === null ? "" : node.labels[s] + ": " + now.toPrecision(10);
    button.classList.toggle("given", isGiven && !isDo);
    button.classList.toggle("do", isGiven && isDo);
    button.classList.toggle("best", isBest && given.size > 0);
    bar.style.width = (100 * (now || 0)).toFixed(2) + "%";
    mark.style.left = (100 * (was || 0)).toFixed(2) + "%";
    mark.hidden = !given.size || now === null || was === null;
    value.textContent = now === null ? "" : percent(now);
    const difference = given.size && now !== null && was !== null ? 100 * (now - was) : 0;
    moved.textContent = Math.abs(difference) < 0.05 ? "" :
      (difference > 0 ? "+" : "−") + Math.abs(difference).toFixed(1);
    moved.className = "moved " + (difference > 0 ? "up" : "down");
  };
  return { button, show };
}

// Up and down go from state to state, also from one variable to the next.
function stepStates(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.classList.contains("state")) return;
  const all = [...document.querySelectorAll("button.state")].filter((b) => b.offsetParent !== null);
  const next = all[all.indexOf(event.target) + step];
  event.preventDefault();
  if (next) next.focus();
}

// The rows of a variable; at most `most` of them at first.
function monitor(node, most) {
  const box = el("div", { class: "monitor", role: "group", "aria-label": node.name });
  const rows = [];
  const add = (from, to) => {
    for (let s = from; s < to; s++) {
      rows.push(stateRow(node, s));
      box.append(rows[rows.length - 1].button);
    }
  };
  const first = node.labels.length > most + 1 ? most : node.labels.length;
  add(0, first);
  const self = { node, box, show: () => rows.forEach((row) => row.show()) };
  if (first < node.labels.length) {
    const more = el("button", { type: "button", class: "more", onclick: () => {
      more.remove();
      add(first, node.labels.length);
      self.show();
    } }, "Show " + (node.labels.length - first) + " more states");
    box.append(more);
  }
  box.addEventListener("keydown", stepStates);
  live.add(self);
  self.show();
  return box;
}

// Those that left the page are forgotten.
function showMonitors() {
  live.forEach((m) => {
    if (m.box.isConnected) m.show();
    else live.delete(m);
  });
}

// ---- the cards of all variables -------------------------------------------------

const CARDS = window.innerWidth < 600 ? 12 : 60; // at a time
let cards = CARDS;

function orderedNodes() {
  const word = $("filter").value.trim().toLowerCase();
  const list = nodes.filter((n) => n.name.toLowerCase().includes(word));
  if ($("order").value === "name") list.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if ($("order").value === "change") {
    const moved = new Map(list.map((n) => [n, changeOf(n.id)]));
    list.sort((a, b) => moved.get(b) - moved.get(a) || a.id - b.id);
  }
  return list;
}

function showCards() {
  const list = orderedNodes(), focused = document.activeElement;
  const card = focused && focused.closest("#cards .card"), state = card && focused.dataset.state;
  const name = card && card.dataset.name;
  $("cards").replaceChildren(...list.slice(0, cards).map((node) => el("article", { class: "card", "data-name": node.name },
    el("h3", {}, nameButton(node)), monitor(node, 8))));
  $("more-cards").hidden = list.length <= cards;
  $("more-cards").textContent = "Show more of " + count(list.length, "variable");
  $("no-cards").hidden = list.length > 0;
  if (!state) return;
  const again = [...$("cards").children].find((c) => c.dataset.name === name); // the focus stays where it was
  if (again) again.querySelectorAll(".state")[Number(state)]?.focus();
}

function startMonitors() {
  if (whyNot()) {
    $("probabilities").remove();
    return;
  }
  const again = () => { cards = CARDS; showCards(); };
  $("filter").addEventListener("input", again);
  $("order").addEventListener("change", again);
  $("more-cards").addEventListener("click", () => { cards += 4 * CARDS; showCards(); });
  onAnswer(() => {
    if (!tree && refusal) $("probabilities").hidden = true;
    else if ($("order").value === "change") showCards();
  });
  onAnswer(showMonitors);
  showCards();
}
