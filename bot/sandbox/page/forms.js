// A form (Discord calls it a modal) that the bot opened.
import { menuOptions } from "/menus.js";
import { $, el, formatted } from "/text.js";

export function showForm(modal, ctx) {
  const form = $("form").querySelector("form");
  const inputs = modal.fields.map((field) => [field, formInput(field)]);
  const trouble = el("p", { id: "form-trouble", role: "alert" });
  const submit = el("button", { type: "submit", class: "button primary" }, "Submit");
  form.replaceChildren(
    el("h2", { id: "form-title" }, modal.title),
    ...modal.texts.map((text) => el("div", { class: "text" }, ...formatted(text, ctx))),
    ...inputs.map(([field, input]) => labelled(field, input)),
    trouble,
    el("div", { class: "row" }, submit,
      el("button", { type: "button", class: "button secondary", onclick: () => $("form").close() }, "Cancel")));
  form.onsubmit = (event) => {
    event.preventDefault();
    ctx.busy(submit, async () => {
      const values = Object.fromEntries(inputs.map(([field, input]) => [field.custom_id, formValue(field, input)]));
      const reply = await ctx.ask("submit", { opened_by: modal.opened_by, values });
      // What was typed stays until the bot has it.
      const wrong = reply.problem || reply.failed;
      if (wrong) trouble.textContent = wrong; else { $("form").close(); ctx.notice(""); }
    });
  };
  $("form").showModal();
  form.querySelector("input, textarea, select")?.focus();
}

function labelled(field, input) {
  const name = `${field.label || field.custom_id}${field.required === false ? "" : " *"}`;
  const hint = field.description ? el("span", { class: "small" }, field.description) : null;
  return el("label", {}, el("span", {}, name), hint, input);
}

function formInput(field) {
  if (field.type === 4) {
    const limits = { maxlength: field.max_length, minlength: field.min_length, placeholder: field.placeholder, autocomplete: "off" };
    const rows = String(Math.min(10, Math.max(4, (field.value || "").split("\n").length)));
    const input = field.style === 2 ? el("textarea", { rows, ...limits }) : el("input", { type: "text", ...limits });
    input.value = field.value || "";
    return input;
  }
  const many = (field.max_values ?? 1) > 1;
  const options = menuOptions(field).map((option) =>
    el("option", { value: option.value, selected: option.chosen }, option.hint ? `${option.label} — ${option.hint}` : option.label));
  // As on Discord nothing is chosen but what the bot has chosen.
  return el("select", { multiple: many, required: field.required !== false }, many ? null : el("option", { value: "" }, "—"), ...options);
}

function formValue(field, input) {
  if (field.type === 4) return input.value;
  return [...input.selectedOptions].map((option) => option.value).filter(Boolean);
}
