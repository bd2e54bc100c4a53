"use strict";
(() => {
  const root = document.documentElement;
  const report = text => { root.dataset.errors = (root.dataset.errors ? root.dataset.errors + " | " : "") + text; };
  addEventListener("error", event => report(event.message || "error"));
  addEventListener("unhandledrejection", event => report(String(event.reason)));
  addEventListener("securitypolicyviolation", event => report("blocked: " + event.violatedDirective));
  root.classList.add("js");

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = selector => document.querySelector(selector);
  const tools = all("details.tool").map(element => ({
    element, name: element.dataset.tool, search: element.dataset.search,
    tables: new Set(element.dataset.tables ? element.dataset.tables.split("\n") : []),
  }));
  const query = one("#query"), reset = one("#reset"), expand = one("#expand"), tally = one("#tally");
  const effects = one("#effects-picture"), schema = one("#schema-picture");
  let table = null;

  // The filter lives in the fragment, so that a view can be linked to: #q=words&table=name
  const write = () => {
    const parts = [];
    if (query.value.trim()) parts.push("q=" + encodeURIComponent(query.value.trim()));
    if (table !== null) parts.push("table=" + encodeURIComponent(table));
    history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
  };

  const paint = shown => {
    if (!effects) return;
    const filtered = shown.size < tools.length;
    const tables = new Set();
    effects.classList.toggle("filtered", filtered);
    for (const flow of all(".flow", effects)) {
      const on = shown.has(flow.dataset.tool) && (table === null || flow.dataset.table === table);
      flow.classList.toggle("on", on);
      if (on) tables.add(flow.dataset.table);
    }
    for (const mark of all("a.tool", effects)) mark.classList.toggle("on", shown.has(mark.dataset.tool));
    for (const mark of all("a.table", effects)) {
      mark.classList.toggle("on", tables.has(mark.dataset.table));
      mark.classList.toggle("chosen", mark.dataset.table === table);
    }
  };

  const apply = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set();
    for (const tool of tools) {
      const fits = words.every(word => tool.search.includes(word)) && (table === null || tool.tables.has(table));
      tool.element.hidden = !fits;
      if (fits) shown.add(tool.name);
    }
    const active = words.length > 0 || table !== null;
    tally.textContent = active
      ? `${shown.size} of ${tools.length} tools` + (table === null ? "" : ` at table ${table}`)
      : `${tools.length} tools`;
    reset.hidden = !active;
    one("#nothing").hidden = shown.size > 0 || tools.length === 0;
    paint(shown);
    root.dataset.shown = shown.size;
  };

  const read = () => {
    const fragment = location.hash.slice(1);
    if (/^(q|table)=/.test(fragment)) {
      const wanted = new Map(fragment.split("&").map(part => {
        const at = part.indexOf("=");
        try { return [part.slice(0, at), decodeURIComponent(part.slice(at + 1))]; } catch { return ["", ""]; }
      }));
      query.value = wanted.get("q") || "";
      table = wanted.has("table") ? wanted.get("table") : null;
      apply();
      return true;
    }
    const target = fragment && document.getElementById(fragment);
    if (target && target.tagName === "DETAILS") {
      if (target.hidden) clear();
      target.open = true;
      target.scrollIntoView();
    }
    return false;
  };

  const clear = () => { query.value = ""; table = null; apply(); };

  query.addEventListener("input", () => { apply(); write(); });
  query.addEventListener("keydown", event => {
    if (event.key === "Enter") one("#tools").scrollIntoView();
    if (event.key === "Escape") { clear(); write(); }
  });
  reset.addEventListener("click", () => { clear(); write(); });
  expand.addEventListener("click", () => {
    const seen = tools.filter(tool => !tool.element.hidden);
    const open = !seen.every(tool => tool.element.open);
    for (const tool of seen) tool.element.open = open;
    expand.textContent = open ? "Close all" : "Open all";
  });
  if (effects) effects.addEventListener("click", event => {
    const mark = event.target.closest("a.table");
    if (!mark || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    table = table === mark.dataset.table ? null : mark.dataset.table;
    apply(); write();
  });

  const trace = (picture, key, name) => {
    picture.classList.toggle("tracing", name !== null);
    if (picture === schema) {
      const near = new Set([name]);
      for (const line of all(".reference", picture)) {
        const on = name !== null && (line.dataset.child === name || line.dataset.parent === name);
        line.classList.toggle("traced", on);
        if (on) { near.add(line.dataset.child); near.add(line.dataset.parent); }
      }
      for (const box of all("a.box", picture)) box.classList.toggle("traced", near.has(box.dataset.table));
      return;
    }
    const near = new Set();
    for (const line of all(".flow", picture)) {
      const on = name !== null && line.dataset[key] === name;
      line.classList.toggle("traced", on);
      if (on) { near.add("tool " + line.dataset.tool); near.add("table " + line.dataset.table); }
    }
    for (const mark of all("a", picture)) {
      mark.classList.toggle("traced", near.has(mark.dataset.tool !== undefined ? "tool " + mark.dataset.tool : "table " + mark.dataset.table));
    }
  };
  for (const picture of [schema, effects]) {
    if (!picture) continue;
    for (const mark of all("a", picture)) {
      const key = mark.dataset.tool !== undefined ? "tool" : "table";
      for (const name of ["pointerenter", "focus"]) mark.addEventListener(name, () => trace(picture, key, mark.dataset[key]));
      for (const name of ["pointerleave", "blur"]) mark.addEventListener(name, () => trace(picture, key, null));
    }
  }

  // Closed sections are opened for paper and closed again afterwards.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open]):not(.source)");
    for (const element of opened) element.open = true;
  });
  addEventListener("afterprint", () => { for (const element of opened) element.open = false; });

  addEventListener("hashchange", read);
  if (!read()) apply();
  root.dataset.ready = "yes";
})();
