// The foot of the page: notices, the connection, and what the page says while it cannot do its work.
import { $, button, find, h, refill, say } from "./dom.js";
import { Lost, Refusal } from "./server.js";

const READ = 4000; // milliseconds for which the shortest notice stays
const LETTER = 60; // milliseconds more for each letter
const SHOWN = 2;

/** A line that goes when it was read; as long as it is pointed at, or has the focus, it stays.
 * @param {string} text
 * @param {"done" | "trouble"} kind
 */
export function notice(text, kind) {
  const close = button("×", () => node.remove(), { "aria-label": "Close", class: "close" });
  const node = h("p", { class: kind }, text, close);
  let later = 0;
  const stay = () => clearTimeout(later);
  const leave = () => {
    stay();
    later = setTimeout(() => node.remove(), READ + LETTER * text.length);
  };
  for (const event of ["pointerenter", "focusin"]) node.addEventListener(event, stay);
  for (const event of ["pointerleave", "focusout"]) node.addEventListener(event, leave);
  leave();
  const all = $("notices");
  all.append(node);
  [...all.querySelectorAll("p:not(#waits)")].slice(0, -SHOWN).forEach((old) => old.remove());
}

/** A refusal as a notice, or a lost connection; other problems are thrown again.
 * @param {unknown} problem
 * @param {(refusal: Refusal) => void} unknown  called where this browser may not look
 */
export function tellTrouble(problem, unknown) {
  if (problem instanceof Lost) connection(false);
  else if (!(problem instanceof Refusal)) throw problem;
  else if (problem.status === 401) unknown(problem);
  else notice(problem.message, "trouble");
}

/** Why this browser may not look, and how it may.
 * @param {Refusal} problem
 */
export function closedDoor(problem) {
  const login = problem.login && h("a", { href: problem.login }, "Log in with Discord");
  refill($("banner"), problem.message, " ", login);
  $("banner").hidden = false;
  $("line").textContent = "No session";
  find(document, "#owner")?.setAttribute("hidden", "");
}

/** Says that a move waits for the process that makes the moves of this table, or no longer.
 * @param {boolean} waiting
 */
export function waits(waiting) {
  const said = document.getElementById("waits");
  const words = "The bot does not answer yet. The page keeps your move and sends it again…";
  if (waiting && !said) $("notices").append(h("p", { class: "trouble", id: "waits" }, words));
  if (!waiting) said?.remove();
}

/** @param {boolean} there */
export function connection(there) {
  say($("line"), there ? "Live" : "Connection lost: trying again…");
  document.body.classList.toggle("lost", !there);
}

/** Reloads where another version of the page is served, once for each version, as each of several processes
 * may have another; where something was begun here, it only says so.
 * @param {string} version
 * @param {() => boolean} begun
 */
export function renew(version, begun) {
  const own = document.querySelector("meta[name=version]")?.getAttribute("content");
  const met = window.history.state?.met || [];
  if (version === own) return;
  if (!begun() && !met.includes(version)) {
    window.history.replaceState({ met: [...met, version] }, "");
    location.reload();
  } else if (!document.getElementById("renew")) {
    const reload = button("Reload", () => location.reload());
    const words = "There is a newer version of this page. ";
    $("notices").append(h("p", { class: "trouble", id: "renew" }, words, reload));
  }
}
