const ENDS = { stop: "ended by the user", transfer: "transferred", out_of_scope: "out of scope", truncated: "truncated", failed: "failed" };
const EFFECTS = { spoiled: "spoiled the episode", helped: "helped the agent", none: "" };
const TOUCHES = { required: "a value the user must give", compared: "a compared row", answer: "an answer", stop: "the end", nothing: "" };
const LONG = 420;
const opened = { thinking: false, result: false };

const pill = (words, tone = "") => html("span", { class: "pill " + tone }, words);
const worth = entry => entry.reward === null ? ["not scored", "quiet"]
  : [`reward ${+entry.reward.toFixed(4)}`, entry.reward >= 1 ? "good" : entry.reward > 0 ? "warn" : "bad"];

// The message with the words marked that judgements quote.
const marked = (text, quotes) => {
  const low = text.toLowerCase();
  const found = quotes.filter(Boolean).map(quote => [low.indexOf(quote.toLowerCase()), quote.length])
    .filter(([start]) => start >= 0).sort((a, b) => a[0] - b[0]);
  const parts = [];
  let at = 0;
  for (const [start, length] of found) {
    if (start < at) continue;
    parts.push(text.slice(at, start), html("mark", {}, text.slice(start, start + length)));
    at = start + length;
  }
  return [...parts, text.slice(at)];
};

const bubble = (side, text, quotes) => html("p", { class: "bubble " + side, dir: "auto" }, ...marked(text, quotes));

const thinking = ([text, provider]) => text === ""
  ? html("p", { class: "thinking sealed" }, `Thinking that ${provider} keeps sealed`)
  : keeping("thinking", folded("thinking", ["Thinking", html("small", {}, plural(text.split(/\s+/).filter(Boolean).length, "word"))],
    html("p", { dir: "auto" }, text)));
const keeping = (kind, details) => { details.open = opened[kind]; return details; };

const result = (text, refused) => {
  const tone = refused ? "result refused" : "result";
  const whole = pretty(text);
  if (text.length <= LONG) return html("div", { class: tone }, html("pre", { dir: "auto" }, whole || "empty result"));
  const first = text.replace(/\s+/g, " ").slice(0, 110) + "…";
  return keeping("result", folded(tone, [html("span", { class: "first" }, first), html("small", {}, `${text.length.toLocaleString("en")} characters`)],
    html("pre", { dir: "auto" }, whole)));
};

const callCard = (call, answer, own = false) => html("div", { class: "call" + (own ? " own" : "") + (answer && answer.refused ? " refused" : "") },
  html("p", { class: "name" }, code(call.name), own ? html("small", {}, "the user's own tool") : null,
    answer && answer.refused ? html("b", { class: "fate" }, "refused") : null),
  call.malformed !== undefined ? html("div", {}, html("p", { class: "none" }, "arguments that are no JSON object"), html("pre", {}, call.malformed))
    : pairs(call.arguments),
  answer ? result(answer.text || "", answer.refused) : html("p", { class: "none" }, "no result"));

const changes = diff => html("div", { class: "changes" }, html("p", { class: "caption" }, "State ", html("small", {}, plural(diff.length, "row") + " changed")),
  html("div", { class: "scroll" }, html("table", {}, ...diff.map(change => html("tbody", { class: change.fate },
    html("tr", {}, html("th", { scope: "rowgroup", colspan: "3" }, code(change.table), " ",
      ...change.key.flatMap((part, place) => [place ? ", " : "", shown(part)]), html("b", { class: "fate" }, change.fate))),
    ...change.cells.map(([name, before, after]) => html("tr", {}, html("td", {}, name),
      ...(change.fate === "changed" ? [html("td", { class: "before" }, shown(before)), html("td", { class: "after" }, shown(after))]
        : [html("td", { colspan: "2", class: change.fate === "new" ? "after" : "before" }, shown(change.fate === "new" ? after : before))]))))))));

const share = value => html("span", { class: "progress", role: "img", "aria-label": `progress ${Math.round(value * 100)} %`, style: `--part: ${value}` },
  html("i", {}), html("small", {}, `${Math.round(value * 100)} % of gold`));

const note = judged => html("div", { class: judged.effect === "none" ? "note" : "note " + judged.effect },
  html("p", {}, html("b", {}, judged.kind.replaceAll("_", " ")), html("small", {}, `by ${judged.by}`)),
  judged.quote ? html("q", { dir: "auto" }, judged.quote) : null,
  judged.explanation ? html("p", {}, judged.explanation) : null,
  html("p", { class: "reach" }, [EFFECTS[judged.effect], TOUCHES[judged.touches] && `touches ${TOUCHES[judged.touches]}`].filter(Boolean).join("; ")));

const meta = (place, turn, words, after) => html("p", { class: "meta" }, ...[`#${place} ${words}`, lasting(turn.seconds || 0),
  after ? `tools ${lasting(after)}` : "",
  turn.tokens ? `${turn.tokens[0].toLocaleString("en")} → ${turn.tokens[1].toLocaleString("en")} tokens` : "",
  turn.sampled ? `${turn.sampled.count} sampled` + (turn.sampled.mean === null ? "" : `, mean logprob ${turn.sampled.mean.toFixed(3)}`)
    + (turn.sampled.versions.length ? `, weights ${turn.sampled.versions.join(", ")}` : "") : "",
  turn.progress === null || turn.progress === undefined ? "" : share(turn.progress)].filter(Boolean).map(part => html("span", {}, part)));

// An agent's turn and the results of its calls are one step; everything else is a step of its own.
const steps = turns => {
  const made = [];
  turns.forEach((turn, place) => {
    const last = made.at(-1);
    if (turn.role === "tool" && last && last.turn.role === "assistant") last.results.push([place, turn]);
    else made.push({ place, turn, results: [] });
  });
  return made;
};

const stepItem = ({ place, turn, results }, judgements) => {
  const here = judgements.filter(judged => judged.turn === place || results.some(([other]) => other === judged.turn));
  const quotes = here.map(judged => judged.quote);
  const last = results.length ? results.at(-1)[1] : turn;
  const waiting = [...results];
  const answerTo = id => {
    const at = waiting.findIndex(([, answer]) => answer.answers === id);
    return at < 0 ? null : waiting.splice(at, 1)[0][1];
  };
  const agent = turn.role === "assistant", calls = turn.calls || [];
  const cards = calls.map(call => callCard(call, answerTo(call.id)));
  const stray = waiting.map(([, answer]) => result(answer.text || "", answer.refused));
  const after = results.length ? results[0][1].seconds || 0 : 0;
  return html("li", { class: `step ${turn.role}`, id: `turn-${place}` },
    html("div", { class: "said" },
      ...(turn.thinking || []).map(thinking),
      ...(turn.own || []).map(call => callCard(call, call, true)),
      turn.role === "tool" ? result(turn.text || "", turn.refused)
        : turn.text ? bubble(agent ? (calls.length ? "agent aside" : "agent") : "user", turn.text, quotes) : null,
      agent && !turn.text && !calls.length ? html("p", { class: "none" }, "an empty turn") : null,
      turn.cut ? html("p", { class: "none" }, "cut off by a length limit; it reached nobody") : null,
      agent && turn.text && calls.length && !turn.cut ? html("p", { class: "none" }, "not sent to the user, because it stands beside calls") : null,
      ...cards, ...stray,
      last.diff ? changes(last.diff) : null,
      meta(place, { ...turn, progress: last.progress }, agent ? "agent" : turn.role === "tool" ? "result" : "user", after)),
    here.length ? html("aside", { class: "notes", "aria-label": "Judgements" }, ...here.map(note)) : null);
};

const fact = (words, value) => value === "" ? null : html("div", {}, html("dt", {}, words), html("dd", {}, value));
const told = (mark, words, more) => html("li", { class: mark === null ? "" : mark ? "yes" : "no" }, words, more ? html("small", {}, more) : null);

const why = data => {
  const list = [
    data.state === null ? null : told(data.state, data.state ? "the state is gold's" : "the state is not gold's"),
    ...data.answers.map(([name, was, reason]) => told(was, was ? `told: ${name}` : `not told: ${name}`, was ? "" : reason)),
  ].filter(Boolean);
  const words = data.why ? [`Truncated: ${data.why}.`] : [];
  if (!list.length && !data.explanation.length && !words.length) return null;
  return html("section", { class: "why" }, html("h3", {}, "Reward"),
    list.length ? html("ul", { class: "marks" }, ...list) : null,
    data.explanation.length + words.length ? html("ul", { class: "reasons" }, ...[...words, ...data.explanation].map(sentence => html("li", {}, sentence))) : null);
};

const judgedLine = data => {
  if (data.judgements === null) return html("p", { class: "judged none" }, "The user was not judged.");
  if (!data.judgements.length) return html("p", { class: "judged none" }, "Judged: no error of the user.");
  return html("p", { class: "judged" }, plural(data.judgements.length, "error") + " of the user: ",
    ...data.judgements.flatMap((judged, place) => [place ? ", " : "",
      html("a", { href: "#", "data-turn": String(judged.turn) }, `${judged.kind.replaceAll("_", " ")} (#${judged.turn})`)]));
};

const climb = turns => {
  const reached = turns.map((turn, place) => [place, turn.progress]).filter(([, value]) => typeof value === "number");
  if (!reached.length) return null;
  return html("div", { class: "climb" }, html("p", {}, "Progress to gold ", html("b", {}, `${Math.round(reached.at(-1)[1] * 100)} %`)),
    html("div", { class: "bars" }, ...reached.map(([place, value]) => html("a", { href: "#", "data-turn": String(place),
      title: `#${place}: ${Math.round(value * 100)} %`, "aria-label": `turn ${place}: ${Math.round(value * 100)} %`, style: `--part: ${value}` }))));
};

const toolItem = tool => folded("tool", [code(tool.name), html("small", {}, tool.description.split("\n")[0])],
  html("p", { class: "description" }, tool.description),
  tool.parameters.length ? html("dl", { class: "pairs" }, ...tool.parameters.flatMap(([name, required, schema]) => [
    html("dt", {}, name, required ? "" : html("small", {}, " optional")), html("dd", {}, shown(schema))])) : html("p", { class: "none" }, "no parameters"));

const episodeView = (entry, data, shared) => {
  const tools = shared(data.tools), instructions = shared(data.instructions), judgements = data.judgements || [];
  const [reward, tone] = worth(entry);
  const sum = place => data.turns.reduce((total, turn) => total + (turn.role === "assistant" && turn.tokens ? turn.tokens[place] : 0), 0);
  const noted = judgements.some(judged => judged.turn < data.turns.length);
  return [
    html("header", {},
      html("p", { class: "way" }, html("button", { type: "button", class: "back" }, "← Episodes"),
        html("span", {}, entry.environment), html("span", {}, entry.agent), html("span", {}, "user " + entry.user), html("span", {}, `trial ${entry.trial}`)),
      html("h2", {}, entry.task),
      html("p", { class: "pills" }, pill(reward, tone), pill(ENDS[entry.end] || entry.end, entry.end === "failed" ? "bad" : entry.end === "truncated" ? "warn" : "quiet"),
        entry.masked ? pill("masked: says nothing of the agent", "warn") : null),
      data.failure ? html("p", { class: "callout" }, html("b", {}, `${data.failure[0]}, ${data.failure[1]}: `), data.failure[2]) : null,
      html("dl", { class: "facts" }, fact("turns of the agent", String(entry.turns)), fact("tool calls", String(entry.calls)),
        fact("time", lasting(entry.seconds || 0)), fact("tokens in", sum(0) ? sum(0).toLocaleString("en") : ""), fact("tokens out", sum(1) ? sum(1).toLocaleString("en") : ""),
        fact("cost", entry.cost ? `$${entry.cost.toFixed(4)}` : "")),
      html("div", { class: "verdict" }, why(data), climb(data.turns)), judgedLine(data),
      ...judgements.filter(judged => judged.turn >= data.turns.length).map(note),
      instructions ? folded("block", ["Instructions"], html("p", { class: "prose", dir: "auto" }, instructions)) : null,
      tools.length ? folded("block", ["Tools ", html("small", {}, String(tools.length))], ...tools.map(toolItem)) : null),
    html("ol", { class: "talk" + (noted ? " noted" : "") }, ...steps(data.turns).map(step => stepItem(step, judgements))),
    html("p", { class: "ending" }, data.failure ? "The episode failed here." : data.why ? `Truncated: ${data.why}.` : `The conversation was ${
      { stop: "ended by the user", transfer: "transferred by the user", out_of_scope: "ended by the user as out of scope" }[entry.end] || entry.end}.`),
  ];
};
