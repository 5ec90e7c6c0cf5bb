// SPDX-License-Identifier: MIT
// start.js -- the theme, and the order in which the page is drawn: first what needs no
// computing.

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").textContent = dark ? "Light" : "Dark";
}
const prefers = window.matchMedia("(prefers-color-scheme: dark)");
setTheme(prefers.matches);
prefers.addEventListener("change", () => setTheme(prefers.matches));
$("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme !== "dark"));
let before = null;
window.addEventListener("beforeprint", () => { before = document.documentElement.dataset.theme; setTheme(false); });
window.addEventListener("afterprint", () => setTheme(before === "dark"));

showFacts();
draw();
listenToView();
listenToSearch();
listenToExport();
hideWeak();
showLegend();
startStrip();
startDetail();
startMonitors();
showArcs();
showCourse();
showData();
showHoles();
showRules();
showOrigin();
startAsking();
document.documentElement.dataset.ready = "yes";
