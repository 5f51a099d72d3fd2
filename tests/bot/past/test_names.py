"""Names in games: as users have them now or had them then, as Discord shows them, and removed."""

import json

from bot.table.past.anonymise import NamesOverTime, anonymised_content, rename_players
from storage import ANONYMISED_USER, FORMER_PLAYER_NAME, SeatEntry, personal_data
from tests.titles.builders import new_game

GONE = personal_data.UserInGame(11, ("Ann", "A.B"), ("p1",))


def sat(player: str, name: str, since: int) -> SeatEntry:
    return SeatEntry(player, "holder", 1, name, since, None, "")


def test_moves_have_the_names_of_their_time() -> None:
    names = NamesOverTime({"p1": "Ann", "p2": "Bob"}, (sat("p2", "Bert", 0), sat("p2", "Bob", 5)))
    assert [names.names_at(seq) for seq in (5, 6)] == [
        {"p1": "Ann", "p2": "Bert"},
        {"p1": "Ann", "p2": "Bob"},
    ]
    assert rename_players(new_game(), {"a": "Anna"}).name("a") == "Anna"


# --- removal ---------------------------------------------------------------------------------------------------------


def test_words_lose_a_name_and_number() -> None:
    assert anonymised_content("words", "<@11> and <@!11>: Ann, Anna, Joann, A.B, AxB, 11, 111", GONE) == (
        f"{FORMER_PLAYER_NAME} and {FORMER_PLAYER_NAME}: {FORMER_PLAYER_NAME}, Anna, Joann, "
        f"{FORMER_PLAYER_NAME}, AxB, {FORMER_PLAYER_NAME}, 111"
    )
    notice = {"text": "Ann bids.", "users": [11, 12], "by": 11, "role": 7, "Ann": {"x": ["Ann"]}}
    assert json.loads(anonymised_content("words", json.dumps(notice), GONE)) == notice | {
        "text": f"{FORMER_PLAYER_NAME} bids.",
        "users": [12],
        "by": ANONYMISED_USER,
        "Ann": {"x": [FORMER_PLAYER_NAME]},
    }
    assert anonymised_content("words", '{"text":"Bob bids."}', GONE) == '{"text":"Bob bids."}'


def test_positions_lose_the_name_of_a_player() -> None:
    """Of the player whom the user played, under a name of theirs: another may have the same name."""
    players = [["p1", "Ann"], ["p2", "Ann"], ["p1", "Bob"]]
    left = [["p1", FORMER_PLAYER_NAME], ["p2", "Ann"], ["p1", "Bob"]]
    start = json.dumps({"players": players, "seed": 11})
    assert json.loads(anonymised_content("start", start, GONE)) == {"players": left, "seed": 11}
    held = [{"id": "p1", "name": "Ann", "cash": 5}, {"id": "p2", "name": "Ann", "cash": 7}]
    state = json.dumps({"players": players, "state": {"players": held, "bank": 3}})
    found = json.loads(anonymised_content("state", state, GONE))
    assert found["state"] == {"players": [held[0] | {"name": FORMER_PLAYER_NAME}, held[1]], "bank": 3}
    accepted = json.loads(anonymised_content("accept", json.dumps({"state": state, "why": "x"}), GONE))
    assert (accepted["why"], json.loads(accepted["state"])) == ("x", found)
