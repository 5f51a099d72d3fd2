"""`/what-if`: moves are tried on a copy of the game, in one private message; nothing is stored."""

from collections.abc import Callable
from typing import Final

import discord

from bot.client.components import turn_buttons
from bot.client.components.screens import screen
from bot.client.components.view_buttons import make_tried_button, what_if_button
from bot.client.entry.replies import edit_pressed, say, think
from bot.client.moves.wizard import ask_amount, step_files
from bot.client.pictures import Pictures, answering, question_of
from bot.client.places.messages import picture_file
from bot.client.texts.alt_texts import of_map
from bot.client.texts.what_if_texts import HEAD, make_label, make_text, what_if_text
from bot.table.moves.menus import Ready, Step
from bot.table.moves.question_place import Place
from bot.table.style import strong
from bot.table.tables import Tables
from bot.table.what_if.trying import Compose, Sight, again, look, of_key, of_picks, step_of, try_moves, typed
from bot.table.what_if.what_ifs import WhatIf, WhatIfs

TRYING: Final = f"{strong(HEAD)}: this is only tried."
"""The text above the menus of a what-if."""


class WhatIfHandlers:
    """What-ifs: started by a command, continued with buttons and menus in the message that answers it."""

    def __init__(self, tables: Tables, pictures: Pictures) -> None:
        self._tables = tables
        self._pictures = pictures
        self._what_ifs = WhatIfs()

    async def begin(self, interaction: discord.Interaction, game_id: int, text: str) -> None:
        """Start a what-if from the current position, with the moves typed, if any are."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            moves = typed(text, live.player_of(interaction.user.id))
            what_if = self._what_ifs.begin(live, interaction.user.id)
        sight = await self._tried(interaction, what_if, try_moves, what_if, moves)
        files = await self._files(interaction, sight)
        await say(
            interaction, what_if_text(sight, what_if.base), view=_panel(sight, what_if.base), files=files
        )

    async def click(self, interaction: discord.Interaction, game_id: int, token: int, key: str) -> None:
        """Try a move of one click."""
        what_if = self._what_ifs.find(game_id, interaction.user.id, token)
        await self._continue(interaction, what_if, of_key(key, what_if.looker))

    async def turn(self, interaction: discord.Interaction, place: Place) -> None:
        """Show a step of an offer in the message of the what-if, or make the move to which all picks lead."""
        what_if = self._what_ifs.find(place.game, interaction.user.id, place.seq)
        step = await self._step(interaction, what_if, place)
        if isinstance(step, Ready):
            await self._continue(interaction, what_if, of_picks(place.key, place.picks, what_if.looker))
            return
        shown = screen(
            place, step, what_if_button(place.game, place.seq, "show", "Back to the what-if"), tried=True
        )
        files = await step_files(answering(interaction, self._pictures), step)
        text = f"{TRYING}\n{shown.text}"
        await edit_pressed(interaction, content=text, view=shown.view, attachments=files)

    # The message of a what-if is private already.
    open = turn

    async def form(self, interaction: discord.Interaction, place: Place) -> None:
        """Open the form in which the amount after these picks is typed."""
        what_if = self._what_ifs.find(place.game, interaction.user.id, place.seq)
        await ask_amount(interaction, place, await self._step(interaction, what_if, place))

    async def choice(self, interaction: discord.Interaction, game_id: int, token: int, choice: str) -> None:
        """Undo the last move (`back`) or all (`over`), try them anew (`again`), `make` them, or `show`."""
        what_if = self._what_ifs.find(game_id, interaction.user.id, token)
        if choice == "make":
            await self._ask(interaction, what_if)
            return
        if choice == "again":
            await self._again(interaction, what_if)
            return
        kept = {"back": what_if.steps[:-1], "over": ()}
        after = what_if.at(kept[choice]) if choice in kept else what_if
        await self._show(interaction, await self._tried(interaction, what_if, look, after))

    def find(self, interaction: discord.Interaction, game_id: int, token: int) -> WhatIf:
        """The user's what-if as it was when a button was made; raises Refused when it is over, or has changed."""
        return self._what_ifs.find(game_id, interaction.user.id, token)

    async def _ask(self, interaction: discord.Interaction, what_if: WhatIf) -> None:
        """Ask the user to confirm that their moves are made in the game."""
        game_id, token = what_if.row.id, what_if.token
        yes = make_tried_button(game_id, token, make_label(what_if))
        no = what_if_button(game_id, token, "show", "Back to the what-if")
        text = make_text(what_if)
        await edit_pressed(interaction, content=text, view=turn_buttons.rows_of([yes, no]), attachments=[])

    async def _again(self, interaction: discord.Interaction, what_if: WhatIf) -> None:
        """The same moves from where the game stands now, as far as they are possible."""
        async with self._tables.reading(what_if.row.id) as live:
            fresh = self._what_ifs.begin(live, interaction.user.id)
        moves = list(again([step.action for step in what_if.steps]))
        await self._show(interaction, await self._tried(interaction, fresh, try_moves, fresh, moves))

    async def _continue(self, interaction: discord.Interaction, what_if: WhatIf, move: Compose) -> None:
        sight = await self._tried(interaction, what_if, try_moves, what_if, [move])
        await self._show(interaction, sight)

    async def _tried(
        self, interaction: discord.Interaction, before: WhatIf, work: Callable[..., Sight], *args: object
    ) -> Sight:
        """Let a worker do this, and store the next state of the what-if."""
        sight = await self._tables.workers.run(question_of(interaction), work, *args)
        self._what_ifs.change(before, sight.what_if)
        return sight

    async def _show(self, interaction: discord.Interaction, sight: Sight) -> None:
        """Show the what-if in the message pressed, and whether the game itself has moved on since."""
        async with self._tables.reading(sight.what_if.row.id) as live:
            latest = live.seq
        files = await self._files(interaction, sight)
        text, view = what_if_text(sight, latest), _panel(sight, latest)
        await edit_pressed(interaction, content=text, view=view, attachments=files)

    async def _step(self, interaction: discord.Interaction, what_if: WhatIf, place: Place) -> Step:
        return await self._tables.workers.run(
            question_of(interaction), step_of, what_if, place.key, place.picks, place.page
        )

    async def _files(self, interaction: discord.Interaction, sight: Sight) -> list[discord.File]:
        drawing, files = answering(interaction, self._pictures), []
        if sight.map is not None:
            picture = await drawing.map(sight.map, sight.around)
            files.append(picture_file(picture, "map.png", of_map(sight.map)))
        if sight.market is not None:
            picture = await drawing.market(sight.market)
            files.append(picture_file(picture, "market.png", sight.market.caption))
        return files


def _panel(sight: Sight, latest: int) -> discord.ui.View:
    """What could be tried next, and what undoes."""
    what_if = sight.what_if
    choices = {"back": "Back", "over": "Start over"} if what_if.steps else {}
    if latest != what_if.base:
        choices["again"] = "Again from now"
    elif what_if.own:
        choices["make"] = f"{make_label(what_if)} …"
    beside = [
        what_if_button(what_if.row.id, what_if.token, choice, label) for choice, label in choices.items()
    ]
    return turn_buttons.what_if_panel(what_if.row.id, what_if.token, sight.entries, beside)
