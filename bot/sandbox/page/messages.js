// One message as elements: header, text, embeds, pictures, buttons and menus.
import { menu } from "/menus.js";
import { el, formatted } from "/text.js";

const LOADING = 128;
const STYLE_NAMES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary" };

export function messageItem(message, ctx) {
  if (message.starter) return messageItem(message.starter, ctx);
  const system = systemNote(message, ctx);
  const pinged = message.pinged.includes(ctx.me) || (message.mentions || []).some((user) => user.id === ctx.me);
  const classes = ["message", pinged ? "pinged" : "", message.ephemeral ? "ephemeral" : "", system ? "system" : ""].join(" ");
  // What says on whose behalf it is there has a header of its own.
  const alone = message.ephemeral || message.used;
  const item = el("li", {
    class: classes, "data-id": message.id, "data-author": system ? null : message.author.id,
    "data-time": String(Date.parse(message.timestamp)), "data-alone": Boolean(alone), tabindex: "-1",
  });
  if (system) {
    item.append(system);
    if (message.thread) item.append(threadLink(message.thread, ctx));
    return item;
  }
  item.append(header(message, ctx), body(message, ctx));
  return item;
}

function body(message, ctx) {
  const box = el("div", { class: "body" });
  const edited = message.edited_timestamp && !message.ephemeral ? el("span", { class: "small edited", title: new Date(message.edited_timestamp).toLocaleString() }, " (edited)") : null;
  if (message.flags & LOADING) box.append(el("p", { class: "small" }, `${message.author.global_name} is thinking…`));
  if (message.content) box.append(withNote(el("div", { class: "text" }, ...formatted(message.content, ctx)), edited));
  if (message.attachments.length) box.append(...attachments(message.attachments, ctx));
  box.append(...message.embeds.map((data) => embed(data, ctx)));
  box.append(...message.components.map((data) => row(data, message, ctx)));
  if (!message.content && edited) box.append(edited);
  if (message.thread && message.thread.id !== ctx.channel) box.append(threadLink(message.thread, ctx));
  if (message.ephemeral) box.append(dismissal(message, ctx));
  return box;
}

// The note stands at the end of the last line, as on Discord.
function withNote(text, note) {
  if (note) (text.lastElementChild?.matches("p") ? text.lastElementChild : text).append(note);
  return text;
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
  const whom = message.mentions?.[0]?.global_name ?? "";
  if (message.type === 1) return note(`${name} added ${whom} to the thread.`);
  if (message.type === 4) return note(`${name} changed the name: ${message.content}`);
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

// Pictures stand together, as many side by side as there is room for.
function attachments(files, ctx) {
  const drawn = (file) => (file.content_type || "").startsWith("image/");
  const pictures = files.filter(drawn).map((file) => picture(file.url, file.description || file.filename, ctx, file));
  const others = files.filter((file) => !drawn(file)).map(fileLink);
  return pictures.length ? [el("div", { class: pictures.length > 1 ? "mosaic" : "single" }, ...pictures), ...others] : others;
}

function fileLink(file) {
  const size = file.size < 2048 ? `${file.size} bytes` : `${Math.round(file.size / 1024)} KiB`;
  return el("a", { class: "file", href: file.url, download: file.filename }, `${file.filename} (${size})`);
}

function embed(data, ctx) {
  const box = el("article", { class: "embed" });
  if (data.color) box.style.borderLeftColor = `#${data.color.toString(16).padStart(6, "0")}`;
  if (data.author) box.append(el("p", { class: "small" }, data.author.name));
  if (data.thumbnail?.url) box.append(el("div", { class: "thumbnail" }, picture(data.thumbnail.url, data.title, ctx, data.thumbnail)));
  if (data.title) box.append(title(data, ctx));
  if (data.description) box.append(el("div", { class: "text" }, ...formatted(data.description, ctx)));
  if (data.fields?.length) {
    box.append(el("dl", {}, ...data.fields.map((field) => el("div", { class: field.inline ? "inline" : "" },
      el("dt", {}, field.name), el("dd", {}, ...formatted(field.value, ctx))))));
  }
  if (data.image?.url) box.append(picture(data.image.url, data.image.description || data.title, ctx, data.image));
  const foot = [data.footer?.text, data.timestamp && new Date(data.timestamp).toLocaleString()].filter(Boolean).join(" • ");
  if (foot) box.append(el("p", { class: "small" }, foot));
  return box;
}

function title(data, ctx) {
  const words = formatted(data.title, ctx)[0].childNodes;
  return el("p", { class: "title" }, ...(data.url ? [el("a", { href: data.url, target: "_blank", rel: "noreferrer noopener" }, ...words)] : words));
}

// A row of buttons, or of one menu.
function row(data, message, ctx) {
  const select = (of) => menu(of, ctx, (values) => ctx.act("select", { message: message.id, custom_id: of.custom_id, values }));
  return el("div", { class: "row" }, ...data.components.map((child) => child.type === 2 ? button(child, message, ctx) : select(child)));
}

function button(data, message, ctx) {
  const label = [data.emoji?.name, data.label].filter(Boolean).join(" ");
  if (data.style === 5) return el("a", { class: "button secondary", href: data.url, target: "_blank", rel: "noreferrer noopener" }, label);
  return el("button", {
    type: "button", class: `button ${STYLE_NAMES[data.style] || "secondary"}`, disabled: data.disabled,
    onclick: (event) => ctx.busy(event.currentTarget, () => ctx.act("press", { message: message.id, custom_id: data.custom_id })),
  }, label);
}
