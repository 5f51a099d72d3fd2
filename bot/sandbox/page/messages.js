// One message as elements: header, text, embeds, pictures, buttons and menus.
import { el, formatted } from "/text.js";

const EPHEMERAL = 64, LOADING = 128;
const STYLE_NAMES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary" };

export function messageItem(message, ctx) {
  if (message.starter) return messageItem(message.starter, ctx);
  const system = systemNote(message, ctx);
  const pinged = message.pinged.includes(ctx.me) || (message.mentions || []).some((user) => user.id === ctx.me);
  const classes = ["message", pinged ? "pinged" : "", message.ephemeral ? "ephemeral" : "", system ? "system" : ""].join(" ");
  const item = el("li", { class: classes, "data-id": message.id, tabindex: "-1" });
  if (system) {
    item.append(system);
    if (message.thread) item.append(threadLink(message.thread, ctx));
    return item;
  }
  item.append(header(message, ctx));
  const body = el("div", { class: "body" });
  if (message.flags & LOADING) body.append(el("p", { class: "small" }, `${message.author.global_name} is thinking…`));
  if (message.content) body.append(el("div", { class: "text" }, ...formatted(message.content, ctx)));
  if (message.edited_timestamp && !(message.flags & EPHEMERAL)) body.append(el("span", { class: "small" }, "(edited)"));
  body.append(...message.attachments.map((file) => attachment(file, ctx)));
  body.append(...message.embeds.map((data) => embed(data, ctx)));
  body.append(...message.components.map((data) => component(data, message, ctx)).filter(Boolean));
  if (message.thread && message.thread.id !== ctx.channel) body.append(threadLink(message.thread, ctx));
  if (message.ephemeral) body.append(dismissal(message, ctx));
  item.append(body);
  return item;
}

function header(message, ctx) {
  const time = new Date(message.timestamp);
  const name = message.author.global_name;
  return el("div", { class: "head-line" },
    el("span", { class: "avatar", "aria-hidden": "true" }, name.slice(0, 1)),
    el("strong", {}, name),
    message.author.bot ? el("span", { class: "tag" }, "APP") : null,
    message.used_by ? el("span", { class: "small" }, message.used ? `${message.used_by} used /${message.used}` : `for ${message.used_by}`) : null,
    el("time", { datetime: message.timestamp, title: time.toLocaleString() }, time.toLocaleTimeString([], { timeStyle: "short" })),
    message.pinned ? el("span", { class: "tag pin" }, "pinned") : null,
    message.pinged.length ? el("span", { class: "small" }, `pinged ${message.pinged.map((id) => ctx.names.get(id)).join(", ")}`) : null);
}

function systemNote(message, ctx) {
  const name = message.author.global_name;
  const note = (text) => el("span", { class: "small" }, text);
  if (message.type === 6) return note(`${name} pinned a message.`);
  if (message.type === 18) return note(`${name} started a thread: ${message.content}`);
  if (message.type === 21) {
    const from = message.message_reference || {};
    return el("button", { type: "button", class: "mention link", onclick: () => ctx.open(from.channel_id, from.message_id) }, "The message this thread belongs to");
  }
  return null;
}

function threadLink(thread, ctx) {
  return el("button", { type: "button", class: "thread", onclick: () => ctx.open(thread.id) },
    `↳ ${thread.name}${thread.thread_metadata.archived ? " (archived)" : ""} ›`);
}

function dismissal(message, ctx) {
  return el("p", { class: "small" }, "Only you can see this · ",
    el("button", { type: "button", class: "mention link", onclick: () => ctx.act("dismiss", { message: message.id }) }, "Dismiss"));
}

function picture(url, alt, ctx, size = {}) {
  const image = el("img", { src: url, alt: alt || "", loading: "lazy", width: size.width, height: size.height });
  return el("button", { type: "button", class: "picture", "aria-label": `Enlarge ${alt || "picture"}`, onclick: () => ctx.enlarge(url, alt) }, image);
}

function attachment(file, ctx) {
  if ((file.content_type || "").startsWith("image/")) return picture(file.url, file.description || file.filename, ctx, file);
  const size = file.size < 2048 ? `${file.size} bytes` : `${Math.round(file.size / 1024)} KiB`;
  return el("a", { class: "file", href: file.url, download: file.filename }, `${file.filename} (${size})`);
}

function embed(data, ctx) {
  const box = el("article", { class: "embed" });
  if (data.color) box.style.borderLeftColor = `#${data.color.toString(16).padStart(6, "0")}`;
  if (data.author) box.append(el("p", { class: "small" }, data.author.name));
  if (data.title) box.append(el("p", { class: "title" }, ...formatted(data.title, ctx)[0].childNodes));
  if (data.description) box.append(el("div", { class: "text" }, ...formatted(data.description, ctx)));
  if (data.fields?.length) {
    box.append(el("dl", {}, ...data.fields.map((field) => el("div", { class: field.inline ? "inline" : "" },
      el("dt", {}, field.name), el("dd", {}, ...formatted(field.value, ctx))))));
  }
  for (const part of [data.image, data.thumbnail]) if (part?.url) box.append(picture(part.url, data.title, ctx, part));
  if (data.footer) box.append(el("p", { class: "small" }, data.footer.text));
  return box;
}

function component(data, message, ctx) {
  const inside = () => (data.components || []).map((child) => component(child, message, ctx)).filter(Boolean);
  switch (data.type) {
    case 1: return el("div", { class: "row" }, ...inside());
    case 2: return button(data, message, ctx);
    case 3: case 5: case 8: return menu(data, message, ctx);
    case 9: return el("div", { class: "section" }, el("div", {}, ...inside()), data.accessory ? component(data.accessory, message, ctx) : null);
    case 10: return el("div", { class: "text" }, ...formatted(data.content, ctx));
    case 11: return picture(data.media.url, data.description, ctx);
    case 12: return el("div", { class: "row" }, ...data.items.map((item) => picture(item.media.url, item.description, ctx)));
    case 14: return el("hr");
    case 17: return el("div", { class: "embed" }, ...inside());
    default: return null;
  }
}

function button(data, message, ctx) {
  const label = [data.emoji?.name, data.label].filter(Boolean).join(" ");
  if (data.style === 5) return el("a", { class: "button secondary", href: data.url, target: "_blank", rel: "noreferrer noopener" }, label);
  return el("button", {
    type: "button", class: `button ${STYLE_NAMES[data.style] || "secondary"}`, disabled: data.disabled,
    onclick: (event) => ctx.busy(event.currentTarget, () => ctx.act("press", { message: message.id, custom_id: data.custom_id })),
  }, label);
}

function menu(data, message, ctx) {
  const send = (values, node) => ctx.busy(node, () => ctx.act("select", { message: message.id, custom_id: data.custom_id, values }));
  const options = menuOptions(data, ctx);
  // A menu that may stay empty needs a way to say so.
  const many = (data.max_values ?? 1) > 1 || data.min_values === 0;
  const node = el("select", { "aria-label": data.placeholder || "Choose", multiple: many, disabled: data.disabled, size: many ? Math.min(6, options.length) : null });
  if (!many) node.append(el("option", { value: "", disabled: true, selected: true }, data.placeholder || "Choose"));
  node.append(...options);
  if (!many) {
    node.addEventListener("change", () => { const value = node.value; node.selectedIndex = 0; send([value], node); });
    return node;
  }
  const go = el("button", { type: "button", class: "button primary", onclick: () => send([...node.selectedOptions].map((o) => o.value), node) }, "Choose");
  return el("div", { class: "section" }, el("div", {}, el("p", { class: "small" }, data.placeholder || ""), node), go);
}

export function menuOptions(data, ctx) {
  if (data.type === 5) return ctx.people.map((person) => el("option", { value: person.id }, person.name));
  if (data.type === 8) return [...ctx.channels].map(([id, name]) => el("option", { value: id }, `#${name}`));
  return (data.options || []).map((option) => el("option", { value: option.value, selected: option.default, title: option.description },
    option.description ? `${option.label} — ${option.description}` : option.label));
}
