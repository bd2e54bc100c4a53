"use strict";
// After the page's own script, which says where errors go.
addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement;
  const one = selector => document.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const SPACE = "http://www.w3.org/2000/svg";

  // Texts become text nodes and attributes only: nothing that a task says is read as markup.
  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children.filter(child => child !== null && child !== ""));
    return element;
  };
  const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SPACE, tag), attributes, children);
  const titled = (tag, attributes, text, full) =>
    svg(tag, attributes, text, ...(full !== undefined && full !== text ? [svg("title", {}, full)] : []));

  const trace = (picture, lines, marks, chosen, ends) => {
    picture.classList.toggle("tracing", chosen !== null);
    const near = new Set([chosen]);
    for (const line of lines) {
      const on = chosen !== null && ends(line).includes(chosen);
      line.classList.toggle("traced", on);
      if (on) for (const end of ends(line)) near.add(end);
    }
    for (const mark of marks) mark.classList.toggle("traced", chosen !== null && near.has(mark.dataset.mark));
  };

  const dependencies = one("#dependency-picture");
  if (dependencies) {
    const pairs = JSON.parse(one("#dependency-data").textContent);
    const around = one("#neighbourhood");
    const marks = all("g.tool", dependencies), lines = all(".pair", dependencies);
    for (const mark of marks) mark.dataset.mark = (mark.classList.contains("gives") ? "gives " : "takes ") + mark.dataset.tool;
    const ends = line => ["gives " + line.dataset.giver, "takes " + line.dataset.taker];
    let chosen = null;
    const paint = name => {
      dependencies.classList.toggle("tracing", name !== null);
      const near = new Set();
      for (const line of lines) {
        const on = name !== null && (line.dataset.giver === name || line.dataset.taker === name);
        line.classList.toggle("traced", on);
        if (on) for (const end of ends(line)) near.add(end);
      }
      for (const mark of marks) {
        mark.classList.toggle("traced", near.has(mark.dataset.mark) || mark.dataset.tool === name);
        mark.setAttribute("aria-pressed", String(chosen !== null && mark.dataset.tool === chosen));
      }
    };
    const listed = (words, found, other) => found.length === 0 ? [] : [
      html("h4", {}, words),
      html("table", {}, html("tbody", {}, ...found.flatMap(pair => pair[2].map(([output, parameter, evidence]) => html("tr", {},
        html("td", {}, html("code", {}, pair[other])), html("td", {}, html("code", {}, output)), html("td", {}, "→"),
        html("td", {}, html("code", {}, parameter)), html("td", {}, html("small", {}, evidence.join(", ")))))))),
    ];
    const choose = name => {
      chosen = chosen === name ? null : name;
      paint(chosen);
      around.replaceChildren(...(chosen === null ? [] : [
        html("h3", {}, html("code", {}, chosen)),
        ...listed("Takes", pairs.filter(pair => pair[1] === chosen), 0),
        ...listed("Gives", pairs.filter(pair => pair[0] === chosen), 1),
      ]));
      root.dataset.dependency = chosen === null ? "" : chosen;
    };
    for (const mark of marks) {
      mark.addEventListener("click", () => choose(mark.dataset.tool));
      mark.addEventListener("keydown", event => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(mark.dataset.tool);
      });
      for (const name of ["pointerenter", "focus"]) mark.addEventListener(name, () => { if (chosen === null) paint(mark.dataset.tool); });
      for (const name of ["pointerleave", "blur"]) mark.addEventListener(name, () => paint(chosen));
    }
  }

  const list = one("#task-list");
  if (!list) return;
  const index = JSON.parse(one("#task-index").textContent);
  const details = one("#task-details").textContent.trim().split("\n");
  const fields = { query: one("#task-query"), level: one("#task-level"), split: one("#task-split"),
    branch: one("#task-branch"), reasoning: one("#task-reasoning"), user: one("#task-user") };
  let current = null;

  const entries = index.map((task, place) => {
    const button = html("button", { type: "button", tabindex: "-1" },
      html("span", { class: "number" }, "#" + task.n), html("span", { class: "level " + task.level }, task.level),
      html("span", { class: "words" }, task.text));
    const item = html("li", {}, button);
    button.addEventListener("click", () => choose(place));
    return { task, item, button, search: [task.id, task.text, task.words, "#" + task.n].join(" ").toLowerCase() };
  });
  list.append(...entries.map(entry => entry.item));

  const fits = (wanted, has) => wanted === "" || (wanted === "yes") === has;
  const apply = () => {
    const words = fields.query.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { task, item, search } of entries) {
      const on = words.every(word => search.includes(word))
        && (fields.level.value === "" || task.level === fields.level.value)
        && (fields.split.value === "" || task.split === fields.split.value)
        && fits(fields.branch.value, task.branches > 0) && fits(fields.reasoning.value, task.reasoning > 0)
        && fits(fields.user.value, task.user);
      item.hidden = !on;
      if (on) shown += 1;
    }
    const active = Object.values(fields).some(field => field.value !== "");
    one("#task-tally").textContent = active ? `${shown} of ${entries.length} tasks` : `${entries.length} tasks`;
    one("#task-reset").hidden = !active;
    root.dataset.tasks = shown;
    const seen = entries.findIndex(entry => !entry.item.hidden);
    if (seen >= 0 && (current === null || entries[current].item.hidden)) show(seen);
    else focusable();
  };

  // One entry of the list can be reached by Tab; the arrow keys move on from there.
  const focusable = () => {
    const reached = current !== null && !entries[current].item.hidden ? current : entries.findIndex(entry => !entry.item.hidden);
    entries.forEach((entry, place) => { entry.button.tabIndex = place === reached ? 0 : -1; });
  };

  const pairsOf = (pairs, empty = "") => pairs.length === 0 ? empty : html("dl", { class: "pairs" },
    ...pairs.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, html("code", {}, value))]));
  const part = (words, ...children) => html("section", { class: "part" }, html("h4", {}, words), ...children);
  const chip = (words, value, tone = "") => html("li", { class: "chip " + tone }, words + " ", html("b", {}, value));

  const head = (task, told) => {
    const difficulty = Object.entries(told.difficulty).filter(([name]) => name !== "level");
    return [
      html("h3", {}, `#${task.n} `, html("code", {}, task.id)),
      html("ul", { class: "chips" }, chip("level", task.level), chip("split", task.split), chip("language", told.language),
        ...difficulty.map(([name, value]) => chip(name, String(value)))),
      html("blockquote", { lang: told.language, dir: "auto" }, task.text),
      told.persona ? html("p", { class: "persona" }, html("b", {}, "Persona "), told.persona) : null,
      part("Verdicts", told.verdicts.length
        ? html("ul", { class: "chips" }, ...told.verdicts.map(([name, value, tone]) => chip(name, value, tone)))
        : html("p", { class: "none" }, "None yet.")),
      part("What the user knows", pairsOf(told.known, html("p", { class: "none" }, "Nothing."))),
      told.answers.length ? part("What the user must be told", ...told.answers.map(answer => html("p", { class: "told" },
        answer.name + ": ", html("b", {}, answer.value), html("small", {}, `${answer.type}, from ${answer.from}`
          + (answer.others.length ? `; not ${answer.others.join(", ")}` : ""))))) : null,
    ].filter(Boolean);
  };

  // The lists that the report writes, by name.
  const unpack = told => {
    told.boxes = told.picture.boxes.map(([id, marks, x, y, w, shape, title, detail, name, more, rows]) => {
      const [kind, fate] = marks.split(" ");
      return { id, marks, kind, fate, x, y, w, shape: told.picture.shapes[shape], title, detail, name: name || title, more: more || detail, rows };
    });
    told.steps = told.steps.map(([place, given, output, refusal]) => ({ ...told.boxes[place], given, output, refusal }));
    return told;
  };

  const draw = ({ boxes, ...told }) => {
    const [width, height] = told.picture.size;
    const lines = told.picture.lines.map(([origin, end, row, flow, path]) => [boxes[origin].id, boxes[end].id, flow, path,
      row === null ? `${boxes[end].id} after ${boxes[origin].id}` : boxes[end].rows[row][2]]);
    const flows = ["data", "guard", "order"];
    const drawn = lines.map(([origin, end, flow, path, full]) => {
      const line = svg("path", { class: "link " + flow, d: path, "marker-end": `url(#to-${flow})` }, svg("title", {}, full));
      line.dataset.origin = origin;
      line.dataset.end = end;
      return line;
    });
    const marks = boxes.map(box => {
      const plain = box.kind === "known" || box.kind === "answer";
      const edge = box.kind === "user" ? 13 : 10;
      const words = [box.name, box.more, box.fate === "done" ? "" : box.fate, ...box.rows.map(row => row[2])].filter(Boolean);
      const mark = svg("g", { class: "step " + box.marks,
        transform: `translate(${box.x} ${box.y})`, tabindex: "0", role: "img", "aria-label": words.join("; ") },
        svg("path", { class: "body", d: box.shape }));
      if (box.kind === "known") {
        mark.append(titled("text", { class: "quiet-name", x: box.w / 2, y: 14, "text-anchor": "middle" }, box.title, box.name),
          titled("text", { class: "value", x: box.w / 2, y: 28, "text-anchor": "middle" }, box.detail, box.more));
      } else {
        mark.append(titled("text", { class: "name", x: edge, y: 17 }, box.title, box.name));
        if (!plain) mark.append(svg("text", { class: "id", x: box.w - edge, y: 17, "text-anchor": "end" }, box.id));
        if (box.detail) mark.append(titled("text", { class: "value", x: edge, y: 37 }, box.detail, box.more));
        if (box.rows.length) mark.append(svg("path", { class: "rule", d: `M${edge} ${box.rows[0][4] - 10}H${box.w - edge}` }));
        for (const [name, words, full, flow, y] of box.rows) {
          mark.append(titled("text", { class: "from " + flow, x: edge, y: y + 4 }, words, full));
          if (name) mark.append(titled("text", { class: "parameter", x: box.w - edge, y: y + 4, "text-anchor": "end" }, name, full));
        }
      }
      if (box.fate === "refused") mark.append(svg("path", { class: "cross", d: `M${box.w - 7} -5l10 10m0 -10l-10 10` }));
      mark.dataset.mark = box.id;
      return mark;
    });
    const picture = svg("svg", { class: "dag", viewBox: `0 0 ${width} ${height}`, width, height, style: `--natural: ${width}px`,
      role: "group", "aria-label": "The calls and derivations of the task, and what flows between them" },
      svg("defs", {}, ...flows.map(flow => svg("marker", { id: "to-" + flow, class: flow, viewBox: "0 0 8 8", refX: "7.5", refY: "4",
        markerWidth: "7", markerHeight: "7", markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 .5L8 4L0 7.5z" })))),
      ...drawn, ...marks);
    const ends = line => [line.dataset.origin, line.dataset.end];
    const outputs = new Map(told.steps.map(step => [step.id, step]));
    boxes.forEach((box, place) => {
      const mark = marks[place], step = outputs.get(box.id);
      const parts = [box.kind === "known" ? `${box.name} = ${box.more}` : [box.name, box.more].filter(Boolean).join(" "),
        ...box.rows.map(row => row[2]), step && step.output ? "gave " + step.output : step && step.refusal ? "refused: " + step.refusal : ""];
      const enter = () => { trace(picture, drawn, marks, box.id, ends); one("#task-readout").textContent = parts.filter(Boolean).join(" · "); };
      const leave = () => { trace(picture, drawn, marks, null, ends); };
      for (const name of ["pointerenter", "focus"]) mark.addEventListener(name, enter);
      for (const name of ["pointerleave", "blur"]) mark.addEventListener(name, leave);
      const jump = () => { const item = document.getElementById("step-" + box.id); if (item) { item.scrollIntoView({ block: "nearest" }); item.focus(); } };
      mark.addEventListener("click", jump);
      mark.addEventListener("keydown", event => { if (event.key === "Enter") jump(); });
    });
    return picture;
  };

  const stepItem = step => html("li", { id: "step-" + step.id, class: [step.kind, step.fate].join(" "), tabindex: "-1" },
    html("p", { class: "call" }, html("span", { class: "id" }, step.id), " ", html("code", {}, step.name),
      step.more ? html("small", {}, " " + step.more) : null, step.kind === "user" ? html("small", {}, " by the user") : null,
      step.fate !== "done" ? html("b", { class: "fate" }, step.fate) : null),
    ...(step.given ? [pairsOf(step.given)] : step.rows.map(row => html("p", { class: "source-of" }, html("code", {}, row[2])))),
    step.output ? html("p", { class: "gave" }, html("code", {}, step.output)) : null,
    step.refusal ? html("p", { class: "gave refusal" }, step.refusal) : null);

  const changeItem = change => html("tbody", { class: change.fate },
    html("tr", {}, html("th", { scope: "rowgroup", colspan: "3" }, html("code", {}, change.table), " ", change.key, " ",
      html("b", { class: "fate" }, change.fate))),
    ...change.cells.map(([name, before, after]) => html("tr", {}, html("td", {}, html("code", {}, name)),
      html("td", { class: "before" }, before), html("td", { class: "after" }, after))));

  const body = told => [
    part("Gold calls, derivations and what they gave", html("ol", { class: "steps" }, ...told.steps.map(stepItem))),
    html("div", {},
      part("State diff", told.diff.length ? html("div", { class: "scroll" }, html("table", { class: "diff" },
        html("thead", {}, html("tr", {}, html("th", {}, "column"), html("th", {}, "before"), html("th", {}, "after"))),
        ...told.diff.map(changeItem))) : html("p", { class: "none" }, "The state stays as it is.")),
      told.initial.length ? part("On top of the seed", html("pre", {}, html("code", {}, told.initial.join("\n")))) : "",
      told.setup.length ? part("Calls before the user speaks", pairsOf(told.setup)) : "",
      told.distractors.length ? part("Distractor tools", html("p", {}, html("code", {}, told.distractors.join(", ")))) : "",
      part("Provenance", pairsOf([...Object.entries(told.provenance), ["gold state", told.state], ["signature", told.signature]].filter(pair => pair[1])))),
  ];

  const show = place => {
    const told = unpack(JSON.parse(details[place]));
    if (current !== null) entries[current].button.removeAttribute("aria-current");
    current = place;
    entries[place].button.setAttribute("aria-current", "true");
    one("#task-head").replaceChildren(...head(index[place], told));
    one("#task-picture").replaceChildren(draw(told));
    one("#task-readout").textContent = "";
    one("#task-body").replaceChildren(...body(told));
    focusable();
    root.dataset.task = index[place].id;
  };
  const choose = place => {
    show(place);
    history.replaceState(null, "", "#task=" + encodeURIComponent(index[place].id));
  };

  list.addEventListener("keydown", event => {
    const seen = entries.map((_, place) => place).filter(place => !entries[place].item.hidden);
    const here = seen.findIndex(place => entries[place].button === document.activeElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: seen.length - 1, PageDown: here + 8, PageUp: here - 8 }[event.key];
    if (to === undefined || here < 0) return;
    event.preventDefault();
    const place = seen[Math.max(0, Math.min(to, seen.length - 1))];
    choose(place);
    entries[place].button.focus();
  });
  for (const field of Object.values(fields)) field.addEventListener("input", apply);
  one("#task-query").addEventListener("keydown", event => { if (event.key === "Escape") { event.target.value = ""; apply(); } });
  one("#task-reset").addEventListener("click", () => { for (const field of Object.values(fields)) field.value = ""; apply(); });

  const named = () => {
    if (!location.hash.startsWith("#task=")) return -1;
    try { const id = decodeURIComponent(location.hash.slice(6)); return index.findIndex(task => task.id === id); } catch { return -1; }
  };
  const follow = () => {
    const place = named();
    if (place < 0) return;
    if (entries[place].item.hidden) { for (const field of Object.values(fields)) field.value = ""; apply(); }
    show(place);
    entries[place].item.scrollIntoView({ block: "nearest" });
    one("#tasks").scrollIntoView();
  };
  addEventListener("hashchange", follow);
  apply();
  follow();
});
