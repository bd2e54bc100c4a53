const list = one("#list"), rows = one("#rows"), article = one("#episode");
let found = [];
let current = null;

// The filters and the episode live in the fragment, so that a view can be linked to: #reward=0&episode=id
const FIELDS = ["query", ...Object.keys(FILTERS), "order"];
const write = () => {
  const parts = FIELDS.filter(name => one("#" + name).value !== "").map(name => [name, one("#" + name).value]);
  if (current !== null) parts.push(["episode", entries[current].id]);
  const text = parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
};
const read = () => new Map(location.hash.slice(1).split("&").map(part => {
  const at = part.indexOf("=");
  try { return [part.slice(0, at), decodeURIComponent(part.slice(at + 1))]; } catch { return ["", ""]; }
}));

// Only the rows that can be seen are there: thousands of episodes scroll as a few do.
const paint = () => {
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4), last = Math.min(found.length, first + Math.ceil(list.clientHeight / ROW) + 9);
  rows.style.height = `${found.length * ROW}px`;
  rows.replaceChildren(...(found.length ? found.slice(first, last).map((place, at) => rowOf(place, first + at, found.length, place === current))
    : [html("p", { class: "none" }, entries.length ? "No episode fits; clear the filters." : "The file has no episodes.")]));
  if (current !== null && found.includes(current)) list.setAttribute("aria-activedescendant", "entry-" + current);
  else list.removeAttribute("aria-activedescendant");
};

const reveal = () => {
  const at = found.indexOf(current) * ROW;
  if (at < 0) return;
  if (at < list.scrollTop) list.scrollTop = at;
  else if (at + ROW > list.scrollTop + list.clientHeight) list.scrollTop = at + ROW - list.clientHeight;
};

const show = place => {
  current = place;
  article.replaceChildren(...episodeView(entries[place], whole(place), shared));
  article.scrollTop = 0;
  root.dataset.episode = entries[place].id;
  reveal();
  paint();
};
const open = place => {
  show(place);
  document.body.classList.add("reading");
  scrollTo(0, 0);
  if (document.activeElement !== list) article.focus({ preventScroll: true });
  write();
};
const close = () => { document.body.classList.remove("reading"); list.focus(); };

const apply = () => {
  found = matching();
  const active = FIELDS.some(name => name !== "order" && one("#" + name).value !== "");
  one("#tally").textContent = tallied(found);
  one("#reset").hidden = !active;
  for (const name of FIELDS) one("#" + name).classList.toggle("set", one("#" + name).value !== "");
  root.dataset.shown = found.length;
  if (found.length && !found.includes(current)) show(found[0]);
  else { reveal(); paint(); }
};
const clear = () => { for (const name of FIELDS) if (name !== "order") one("#" + name).value = ""; apply(); write(); };

const move = to => { if (found.length) open(found[Math.max(0, Math.min(to, found.length - 1))]); };
const toggle = kind => {
  opened[kind] = !opened[kind];
  for (const details of all("details." + kind, article)) details.open = opened[kind];
};
const jump = turn => {
  const step = all(".step", article).findLast(item => Number(item.id.slice(5)) <= turn);
  if (!step) return;
  step.scrollIntoView({ block: "center" });
  step.classList.add("sought");
  setTimeout(() => step.classList.remove("sought"), 1600);
};

let pause = 0;
one("#query").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(() => { apply(); write(); }, 120); });
for (const name of FIELDS.slice(1)) one("#" + name).addEventListener("input", () => { apply(); write(); });
one("#filters").addEventListener("submit", event => event.preventDefault());
one("#reset").addEventListener("click", clear);
list.addEventListener("scroll", paint);
addEventListener("resize", paint);
rows.addEventListener("click", event => { const row = event.target.closest(".entry"); if (row) open(Number(row.dataset.place)); });
article.addEventListener("click", event => {
  const link = event.target.closest("a");
  if (event.target.closest(".back")) close();
  if (!link) return;
  event.preventDefault();
  if (link.dataset.turn) jump(Number(link.dataset.turn));
});

addEventListener("keydown", event => {
  const typing = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (event.key === "Escape") { if (typing) event.target.blur(); else if (document.body.classList.contains("reading")) close(); return; }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const here = found.indexOf(current), inList = document.activeElement === list;
  const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
  const to = { j: here + 1, k: here - 1, ...(inList ? { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: found.length - 1, PageDown: here + page, PageUp: here - page } : {}) }[event.key];
  if (to !== undefined) move(to);
  else if (event.key === "Enter" && inList && current !== null) open(current);
  else if (event.key === "/") one("#query").focus();
  else if (event.key === "t") toggle("thinking");
  else if (event.key === "r") toggle("result");
  else return;
  event.preventDefault();
});

const follow = () => {
  const wanted = read();
  for (const name of FIELDS) {
    const field = one("#" + name);
    field.value = wanted.get(name) || "";
    if (field.value === "" && field.tagName === "SELECT") field.selectedIndex = 0;
  }
  const place = wanted.has("episode") ? entries.findIndex(entry => entry.id === wanted.get("episode")) : -1;
  if (place >= 0) { current = place; document.body.classList.add("reading"); }
  found = matching();
  if (place >= 0 && !found.includes(place)) { for (const name of FIELDS) one("#" + name).value = ""; }
  current = null;
  if (place >= 0) { found = matching(); show(place); }
  apply();
};
one("#groups")?.removeAttribute("open");
if (matchMedia("(max-width: 900px)").matches) one("#more").open = false;
addEventListener("hashchange", follow);
follow();
root.dataset.ready = "yes";
