// Discord's text subset, built as elements: text only ever becomes text nodes, never markup.

export const $ = (id) => document.getElementById(id);

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const STYLES = [
  [/^```(?:[a-z0-9]+\n)?\n?([\s\S]+?)\n?```/i, (m) => el("pre", {}, el("code", {}, m[1]))],
  [/^`([^`\n]+)`/, (m) => el("code", {}, m[1])],
  [/^\*\*([\s\S]+?)\*\*(?!\*)/, (m, ctx) => el("strong", {}, ...inline(m[1], ctx))],
  [/^__([\s\S]+?)__(?!_)/, (m, ctx) => el("u", {}, ...inline(m[1], ctx))],
  [/^~~([\s\S]+?)~~/, (m, ctx) => el("s", {}, ...inline(m[1], ctx))],
  [/^\|\|([\s\S]+?)\|\|/, (m, ctx) => spoiler(inline(m[1], ctx))],
  [/^\*(?!\s)([^*\n]+?)\*(?!\*)/, (m, ctx) => el("em", {}, ...inline(m[1], ctx))],
  [/^_(?!\s)([^_\n]+?)_(?![A-Za-z0-9_])/, (m, ctx) => el("em", {}, ...inline(m[1], ctx))],
  [/^<@!?(\d+)>/, (m, ctx) => mention(m[1], ctx)],
  [/^@(everyone|here)\b/, (m) => el("span", { class: "mention" }, `@${m[1]}`)],
  [/^<#(\d+)>/, (m, ctx) => channelLink(m[1], ctx)],
  [/^<t:(-?\d+)(?::([tTdDfFR]))?>/, (m) => moment(Number(m[1]), m[2] || "f")],
  [/^<\/([^:>]+):\d+>/, (m) => el("span", { class: "mention" }, `/${m[1]}`)],
  [/^<?https:\/\/discord\.com\/channels\/\d+\/(\d+)(?:\/(\d+))?>?/, (m, ctx) => channelLink(m[1], ctx, m[2])],
  [/^\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (m, ctx) => link(m[2], inline(m[1], ctx))],
  [/^<?(https?:\/\/[^\s<>]+[^\s<>.,:;"'\])])>?/, (m) => link(m[1], [m[1]])],
  [/^\\([\\*_~`|<>#@\-[\]()])/, (m) => m[1]],
];

function inline(text, ctx) {
  const nodes = [];
  let plain = "";
  let before = "";
  const flush = () => { if (plain) { nodes.push(plain); plain = ""; } };
  while (text) {
    const found = match(text, ctx, before);
    if (found) {
      flush();
      nodes.push(found[1]);
      before = text[found[0] - 1];
      text = text.slice(found[0]);
    } else {
      before = text[0];
      plain += text[0];
      text = text.slice(1);
    }
  }
  flush();
  return nodes;
}

function match(text, ctx, before) {
  if (!/[`*_~|<@h[\\]/.test(text[0])) return null;
  if (text[0] === "_" && /\w/.test(before)) return null;
  for (const [pattern, build] of STYLES) {
    const m = pattern.exec(text);
    if (m) return [m[0].length, build(m, ctx)];
  }
  return null;
}

function spoiler(children) {
  const node = el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to read" }, ...children);
  const open = () => { node.classList.add("open"); node.removeAttribute("aria-label"); };
  node.addEventListener("click", open);
  node.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(); } });
  return node;
}

function mention(id, ctx) {
  return el("span", { class: id === ctx.me ? "mention own" : "mention" }, `@${ctx.names.get(id) || "unknown"}`);
}

function channelLink(id, ctx, message) {
  const name = ctx.channels.get(id) || "unknown";
  return el("button", { type: "button", class: "mention link", onclick: () => ctx.open(id, message) }, `#${name}`);
}

function link(url, children) {
  return el("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, ...children);
}

function moment(seconds, style) {
  const date = new Date(seconds * 1000);
  const styles = {
    t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
    f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
  };
  const full = date.toLocaleString([], styles.F);
  const text = style === "R" ? ago(seconds) : date.toLocaleString([], styles[style]);
  return el("time", { datetime: date.toISOString(), title: full }, text);
}

function ago(seconds) {
  const gap = seconds - Date.now() / 1000;
  const steps = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const [unit, size] = steps.find(([, s]) => Math.abs(gap) >= s) || steps[5];
  return new Intl.RelativeTimeFormat([], { numeric: "auto" }).format(Math.round(gap / size), unit);
}

const BLOCKS = [
  [/^(#{1,3}) (.+)/, (m, ctx) => el("p", { class: `head h${m[1].length}` }, ...inline(m[2], ctx))],
  [/^-# (.+)/, (m, ctx) => el("p", { class: "small" }, ...inline(m[1], ctx))],
  [/^( *)[-*] (.+)/, (m, ctx) => item("•", m[1], m[2], ctx)],
  [/^( *)(\d+)\. (.+)/, (m, ctx) => item(`${m[2]}.`, m[1], m[3], ctx)],
  [/^> ?(.*)/, (m, ctx) => el("blockquote", {}, ...inline(m[1], ctx))],
];

function item(mark, indent, text, ctx) {
  return el("p", { class: indent.length > 1 ? "item deep" : "item" }, el("span", { class: "mark" }, mark), el("span", {}, ...inline(text, ctx)));
}

// A text as a list of elements.
export function formatted(text, ctx) {
  const nodes = [];
  let open = [];
  const flush = () => { if (open.length) { nodes.push(el("p", {}, ...inline(open.join("\n"), ctx))); open = []; } };
  const parts = text.split(/(```[\s\S]+?```)/);
  for (const part of parts) {
    if (part.startsWith("```") && part.length > 6) { flush(); nodes.push(...inline(part, ctx)); continue; }
    for (const line of part.split("\n")) {
      const block = BLOCKS.map(([pattern, build]) => [pattern.exec(line), build]).find(([m]) => m);
      if (block) { flush(); nodes.push(block[1](block[0], ctx)); } else open.push(line);
    }
    while (open.length && !open.at(-1)) open.pop();
    flush();
  }
  return nodes;
}
