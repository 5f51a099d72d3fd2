// A link of another user was opened: nothing is replaced before the person says so.
import { $ } from "./dom.js";
import { Server } from "./server.js";

const TOKEN = location.pathname.split("/").at(-1) || "";
const replace = /** @type {HTMLButtonElement} */ ($("replace"));

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches
  ? "dark"
  : "light";
$("stay").addEventListener("click", () => location.assign(`/board/${$("stay").dataset.game}`));
replace.addEventListener("click", async () => {
  replace.disabled = true;
  try {
    location.replace((await new Server("/board/open").post(TOKEN, {})).board);
  } catch (problem) {
    $("trouble").textContent = problem.message;
    replace.disabled = false;
  }
});
