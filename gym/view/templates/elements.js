"use strict";
const root = document.documentElement;
const report = text => { root.dataset.errors = (root.dataset.errors ? root.dataset.errors + " | " : "") + text; };
addEventListener("error", event => report(event.message || "error"));
addEventListener("unhandledrejection", event => report(String(event.reason)));
addEventListener("securitypolicyviolation", event => report("blocked: " + event.violatedDirective));
root.classList.add("js");

const one = selector => document.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Texts become text nodes and attributes only: nothing that an episode says is read as markup.
const html = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== "" && child !== false));
  return element;
};
const code = (text, attributes = {}) => html("code", attributes, text);
const folded = (kind, summary, ...inside) => html("details", { class: kind }, html("summary", {}, ...summary), ...inside);
const plural = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
const lasting = seconds => seconds < 0.0005 ? "" : seconds < 0.9995 ? `${Math.round(seconds * 1000)} ms`
  : seconds < 59.95 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
const lines = id => { const text = one(id).textContent.trim(); return text ? text.split("\n") : []; };

// JSON with line breaks, its numbers and escapes as they are written; any other text as it is.
const pretty = text => {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return text;
  try { JSON.parse(text); } catch { return text; }
  if (text.length < 72 && !text.includes("\n")) return text;
  let depth = 0;
  const fresh = () => "\n" + "  ".repeat(depth);
  return text.replace(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/g, token => {
    if (token === "{" || token === "[") { depth += 1; return token + fresh(); }
    if (token === "}" || token === "]") { depth -= 1; return fresh() + token; }
    return token === "," ? "," + fresh() : token === ":" ? ": " : /^\s/.test(token) ? "" : token;
  });
};

// A text is given as it is, anything else as its JSON in a list of one.
const shown = (value, quoted) => {
  if (typeof value === "string") {
    if (value === "" && !quoted) return html("i", { class: "null" }, "empty text");
    return html("span", { class: "text" }, quoted ? `"${value}"` : value);
  }
  const [text] = value;
  if (text === "null") return html("i", { class: "null" }, "null");
  return html("span", { class: text.startsWith("{") || text.startsWith("[") ? "nested" : "literal" }, pretty(text));
};

const pairs = given => given.length === 0 ? html("p", { class: "none" }, "no arguments")
  : html("dl", { class: "pairs" }, ...given.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, shown(value, true))]));
