// Whose turn it is and until when, in words.

const MINUTE = 60_000; // milliseconds
const MOST_MINUTES = 90;
const MOST_HOURS = 48;

/** Who is on turn in a position, and for how long.
 * @param {Answer.Position} shown
 * @param {boolean} back  it is an earlier position
 * @param {number} now  milliseconds
 */
export function turnWords({ turn, clocks = [], move_obstacle, is_over, you }, back, now) {
  if (is_over) return "Game over";
  if (move_obstacle) return "On hold";
  if (back) return "Earlier position";
  const left = clocks.map((clock) => [clock.name, clockWords(clock, now)].filter(Boolean).join(" "));
  const who = you.is_acting ? "Your turn" : turn.actor_names.join(", ");
  return left.length ? `${who} · ${left.join(", ")}` : who;
}

/** @param {Answer.RunningClock} clock */
function clockWords(clock, now) {
  if (clock.is_stopped) return "(clock stopped)";
  return clock.expires_at ? `until ${deadline(clock.expires_at, now)}` : "";
}

function deadline(time, now) {
  const date = new Date(time.endsWith("Z") || time.includes("+") ? time : `${time}Z`);
  const day = date.toLocaleString([], { weekday: "short", hour: "2-digit", minute: "2-digit" });
  return `${day} (${rest(Math.round((date.getTime() - now) / MINUTE))})`;
}

/** Minutes in the unit that is read best.
 * @param {number} minutes
 */
export function rest(minutes) {
  if (minutes < 0) return "over";
  if (minutes < MOST_MINUTES) return `${minutes} min`;
  if (minutes < MOST_HOURS * 60) return `${Math.round(minutes / 60)} h`;
  return `${Math.round(minutes / 1440)} days`;
}
