// Ctrl+Z and Ctrl+Shift+Z, on a Mac with Cmd: the buttons that undo and redo, pressed by keys.
import { h } from "./dom.js";

const CTRL = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl+";
const UNDO = "Z";
const REDO = "Shift+Z";
// What a key presses: the first of these buttons that is shown. One that asks others shows a question first.
const PRESSED = { [UNDO]: ["trial-back", "undo", "ask-undo"], [REDO]: ["redo"] };

/**
 * The button with its key beside the label.
 * @param {HTMLButtonElement} button
 */
export function keyed(button) {
  const key = PRESSED[REDO].includes(button.dataset.key ?? "") ? REDO : UNDO;
  button.setAttribute("aria-keyshortcuts", `Control+${key} Meta+${key}`);
  button.append(h("kbd", { "aria-hidden": "true" }, `${CTRL}${key}`));
  return button;
}

/**
 * In a text field the keys are the browser's own.
 * @param {KeyboardEvent} event
 */
function pressed(event) {
  const { target } = event;
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
  if (target instanceof Element && target.matches("input:not([type=range]), select, textarea")) return;
  if (document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const shown = PRESSED[event.shiftKey ? REDO : UNDO].map(
    (key) => /** @type {HTMLElement?} */ (document.querySelector(`#play [data-key="${key}"]`)),
  );
  if (!event.repeat) shown.find(Boolean)?.click();
}

document.addEventListener("keydown", pressed);
