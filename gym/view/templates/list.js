const ROW = 74;
const entries = lines("#entries").map(line => JSON.parse(line));
const wholes = lines("#episodes");
const pieces = lines("#shared");
const shared = place => JSON.parse(pieces[place]);
const whole = place => JSON.parse(wholes[place]);

// What is searched is what is shown, not the names of its JSON; made for an episode when it is first asked for.
const searched = new Array(entries.length);
const texts = value => typeof value === "string" ? [value] : Array.isArray(value) ? value.flatMap(texts)
  : value && typeof value === "object" ? Object.values(value).flatMap(texts) : [];
const textOf = place => searched[place] ??= [entries[place].id, ...texts(whole(place))].join("\n").toLowerCase();

const NONE = "-";
const rewardOf = entry => entry.reward === null ? NONE : String(+entry.reward.toFixed(4));
const FILTERS = {
  environment: ["all environments", entry => [entry.environment]],
  agent: ["all agents", entry => [entry.agent]],
  user: ["all users", entry => [entry.user]],
  reward: ["every reward", entry => [rewardOf(entry)], value => value === NONE ? "not scored" : "reward " + value],
  end: ["every end", entry => [entry.end], value => ENDS[value] || value],
  blame: ["failed or not", entry => [entry.blame || NONE], value => value === NONE ? "no failure" : "blame: " + value],
  masked: ["masked or not", entry => [entry.masked ? "yes" : "no"], value => value === "yes" ? "masked" : "not masked"],
  kind: ["judged or not", entry => entry.kinds === null ? ["?"] : entry.kinds.length ? entry.kinds.map(kind => "!" + kind) : [NONE],
    value => value === "?" ? "not judged" : value === NONE ? "no user error" : value.slice(1).replaceAll("_", " ")],
};
const numeric = name => (a, b) => (a[name] ?? -1) - (b[name] ?? -1);
const ORDERS = {
  "": ["in recorded order", null],
  task: ["by task", (a, b) => a.environment.localeCompare(b.environment) || a.task.localeCompare(b.task) || a.trial - b.trial],
  worst: ["lowest reward first", numeric("reward")],
  best: ["highest reward first", (a, b) => numeric("reward")(b, a)],
  longest: ["most turns first", (a, b) => numeric("turns")(b, a)],
  calls: ["most calls first", (a, b) => numeric("calls")(b, a)],
  slowest: ["slowest first", (a, b) => numeric("seconds")(b, a)],
  tokens: ["most tokens first", (a, b) => numeric("tokens")(b, a)],
  dearest: ["dearest first", (a, b) => numeric("cost")(b, a)],
};

const option = (value, words) => html("option", { value }, words);
for (const [name, [every, values, words = value => value]] of Object.entries(FILTERS)) {
  const counts = new Map();
  for (const entry of entries) for (const value of values(entry)) counts.set(value, (counts.get(value) || 0) + 1);
  one("#" + name).append(option("", every),
    ...[...counts].sort(([a], [b]) => a < b ? -1 : 1).map(([value, count]) => option(value, `${words(value)} (${count.toLocaleString("en")})`)));
}
one("#order").append(...Object.entries(ORDERS).map(([value, [words]]) => option(value, words)));

const matching = () => {
  const words = one("#query").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = Object.keys(FILTERS).map(name => [FILTERS[name][1], one("#" + name).value]).filter(([, value]) => value !== "");
  const found = entries.map((_, place) => place).filter(place => wanted.every(([values, value]) => values(entries[place]).includes(value))
    && words.every(word => textOf(place).includes(word)));
  const [, order] = ORDERS[one("#order").value] || ORDERS[""];
  return order ? found.sort((a, b) => order(entries[a], entries[b]) || a - b) : found;
};

const tallied = found => {
  const scored = found.map(place => entries[place].reward).filter(reward => reward !== null);
  const mean = scored.length ? `, mean reward ${(scored.reduce((sum, reward) => sum + reward, 0) / scored.length).toFixed(3)}` : "";
  return (found.length === entries.length ? plural(found.length, "episode") : `${found.length.toLocaleString("en")} of ${plural(entries.length, "episode")}`) + mean;
};

const rowOf = (place, at, total, chosen) => {
  const entry = entries[place], [words, tone] = worth(entry);
  const more = [ENDS[entry.end] || entry.end, entry.blame, plural(entry.turns, "turn"), plural(entry.calls, "call"), lasting(entry.seconds || 0)];
  const row = html("div", { class: "entry", role: "option", id: "entry-" + place, "aria-selected": String(chosen), "aria-setsize": total, "aria-posinset": at + 1,
    style: `top: ${at * ROW}px` },
    html("span", { class: "worth " + tone, title: words }, entry.reward === null ? "–" : String(+entry.reward.toFixed(2))),
    html("span", { class: "task" }, entry.task, entry.trial ? html("small", {}, ` trial ${entry.trial}`) : null),
    html("span", { class: "where" }, entry.environment),
    html("span", { class: "words", dir: "auto" }, entry.words || "nothing was said"),
    html("span", { class: "more" }, entry.masked ? html("b", {}, "masked · ") : null,
      !entry.masked && entry.kinds && entry.kinds.length ? html("b", {}, "user error · ") : null, more.filter(Boolean).join(" · ")));
  row.dataset.place = place;
  return row;
};
