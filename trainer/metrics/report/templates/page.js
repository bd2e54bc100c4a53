"use strict";
const root = document.documentElement;
const report = text => { root.dataset.errors = (root.dataset.errors ? root.dataset.errors + " | " : "") + text; };
addEventListener("error", event => report(event.message || "error"));
addEventListener("unhandledrejection", event => report(String(event.reason)));
addEventListener("securitypolicyviolation", event => report("blocked: " + event.violatedDirective));
root.classList.add("js");

const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const charts = new Map(one("#charts").textContent.trim().split("\n").filter(Boolean).map(line => { const chart = JSON.parse(line); return [chart.id, chart]; }));
const chips = all(".chip");
const hidden = new Set();

// What is hidden lives in the fragment, so that a view can be linked to: #without=bank,hotel
const nameOf = chip => chip.textContent;
const apply = () => {
  for (const chip of chips) chip.setAttribute("aria-pressed", String(!hidden.has(chip.dataset.chip)));
  for (const element of all("[data-environment]")) element.toggleAttribute("hidden", hidden.has(element.dataset.environment));
  const reset = one("#reset");
  if (reset) reset.hidden = hidden.size === 0;
  root.dataset.hidden = hidden.size;
};
const write = () => {
  const names = chips.filter(chip => hidden.has(chip.dataset.chip)).map(chip => encodeURIComponent(nameOf(chip)));
  history.replaceState(null, "", names.length ? "#without=" + names.join(",") : location.pathname + location.search);
};
const follow = () => {
  hidden.clear();
  const given = location.hash.startsWith("#without=") ? location.hash.slice(9).split(",") : [];
  for (const text of given) {
    let name = "";
    try { name = decodeURIComponent(text); } catch { continue; }
    for (const chip of chips) if (nameOf(chip) === name) hidden.add(chip.dataset.chip);
  }
  apply();
};
for (const chip of chips) chip.addEventListener("click", event => {
  const place = chip.dataset.chip;
  if (event.altKey || event.shiftKey) { hidden.clear(); for (const other of chips) if (other !== chip) hidden.add(other.dataset.chip); }
  else if (!hidden.delete(place)) hidden.add(place);
  apply();
  write();
});
one("#reset")?.addEventListener("click", () => { hidden.clear(); apply(); write(); });
addEventListener("hashchange", follow);

// The values of the step that is nearest to the pointer.
const tip = one("#tip");
const nearest = (steps, wanted) => {
  let low = 0, high = steps.length - 1;
  while (low < high) { const middle = (low + high) >> 1; if (steps[middle] < wanted) low = middle + 1; else high = middle; }
  return low > 0 && wanted - steps[low - 1] < steps[low] - wanted ? low - 1 : low;
};
const shown = value => Math.abs(value) >= 10000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
const row = (label, value, colour) => {
  const line = document.createElement("div"), name = document.createElement("span"), number = document.createElement("b");
  name.textContent = label;
  number.textContent = value;
  if (colour) { const mark = document.createElement("i"); mark.className = "swatch " + colour; name.prepend(mark); }
  line.append(name, number);
  return line;
};
const colourOf = (svg, place) => all(".curve", svg)[place].classList[1];
const point = (svg, event) => {
  const chart = charts.get(svg.id), frame = svg.getBoundingClientRect(), cursor = one(".cursor", svg);
  const lines = chart.lines.map((line, place) => ({ ...line, place })).filter(line => !hidden.has(String(line.environment)) && line.steps.length);
  if (!lines.length) return;
  const steps = chart.lines.flatMap(line => line.steps.length ? [line.steps[0], line.steps.at(-1)] : []);
  const first = Math.min(...steps), last = Math.max(Math.max(...steps), first + 1);
  const x = (event.clientX - frame.left) / frame.width * svg.viewBox.baseVal.width, left = Number(svg.dataset.left), right = Number(svg.dataset.right);
  const wanted = first + (x - left) / (right - left) * (last - first);
  const step = lines.map(line => line.steps[nearest(line.steps, wanted)]).reduce((a, b) => Math.abs(a - wanted) <= Math.abs(b - wanted) ? a : b);
  const here = lines.filter(line => line.steps[nearest(line.steps, step)] === step);
  tip.replaceChildren(row("step", step.toLocaleString("en")), ...here.map(line => row(line.label, shown(line.values[nearest(line.steps, step)]), colourOf(svg, line.place))));
  tip.hidden = false;
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)}px`;
  const at = left + (step - first) / (last - first) * (right - left);
  cursor.setAttribute("x1", at);
  cursor.setAttribute("x2", at);
  cursor.setAttribute("visibility", "visible");
};
for (const svg of all("figure svg")) {
  svg.addEventListener("pointermove", event => point(svg, event));
  svg.addEventListener("pointerleave", () => { tip.hidden = true; one(".cursor", svg).setAttribute("visibility", "hidden"); });
}
follow();
root.dataset.charts = charts.size;
root.dataset.ready = "yes";
