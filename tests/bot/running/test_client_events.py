"""The client from its start to its end: what it asks Discord for, forgets and answers, and what it still finishes."""

from datetime import UTC, datetime, timedelta

import discord

from bot.sandbox.guild.seed import GLOBAL_SCOPE
from storage import OutboxMessage, Transaction, outbox
from tests.bot.support.sandbox_bot import TABLE, SandboxBot


async def test_client_holds_little(sandbox: SandboxBot) -> None:
    """It hears of servers and pings nobody unasked; neither members nor messages are held in memory."""
    client = sandbox.client
    game = await sandbox.game()
    assert client.intents == discord.Intents(guilds=True)
    mentions = client.allowed_mentions
    assert mentions is not None
    assert (mentions.everyone, mentions.users, mentions.roles) == (False, False, False)
    await game.press("Ann", "Pass")
    assert list(client.cached_messages) == []
    assert [member.id for guild in client.guilds for member in guild.members] in ([], [client.application_id])


async def test_old_posts_are_forgotten_at_the_start(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    now = datetime.now(UTC)

    async def direct_message(tx: Transaction, number: int, sent: str) -> None:
        columns = "game_id, user_id, sent_at, text, notifications, created_at"
        insert = f"INSERT INTO direct_messages ({columns}) VALUES (?, ?, ?, 'Your turn.', '[]', '')"
        await tx.run(insert, game.number, number, sent)

    for number, days in ((101, 31), (102, 29)):
        sent = (now - timedelta(days=days, hours=-12)).isoformat()
        await outbox.add_notice_once(sandbox.db, game.number, number, OutboxMessage("line", "{}"), sent)
        (posting,) = [
            row for row in await outbox.unposted_notices_of_game(sandbox.db, game.number) if row.seq == number
        ]
        await outbox.mark_sent(sandbox.db, posting.id, now=sent)
        await sandbox.db.write(lambda tx, n=number, at=sent: direct_message(tx, n, at))  # type: ignore[misc]
    await sandbox.stop()
    await sandbox.start()
    assert await sandbox.db.rows("SELECT seq FROM outbox WHERE seq > 100") == [(102,)]
    assert await sandbox.db.rows("SELECT user_id FROM direct_messages") == [(102,)]


async def test_former_command_runs(sandbox: SandboxBot) -> None:
    """The reply names the command of today; a command that never was gets advice."""
    commands = sandbox.world.commands[GLOBAL_SCOPE]
    known = {command["name"]: command for command in commands}
    repair = [option for option in known["game"]["options"] if option["name"] == "repair"]
    commands += [
        {**known["pings"], "name": "calls"},
        {**known["game"], "name": "mod", "options": repair},
        {**known["pings"], "name": "nothing", "options": []},
    ]
    commands.remove(known["mod"])
    for name, answer, options in (
        ("calls", "`/calls` is now `/pings`.", {"how": "direct"}),
        ("mod repair", "`/mod repair` is now `/game repair`.", {"number": 7}),
        ("nothing", "This command has changed. Wait a moment, then type it again.", {}),
    ):
        assert (await sandbox.person("Ann").slash(TABLE, name, **options)).text.endswith(answer)


async def test_right_is_asked_in_the_named_game(sandbox: SandboxBot) -> None:
    """Not in that of the thread."""
    here, there = await sandbox.game(), await sandbox.game(("Dee", "Eve"))
    asked = await here.slash("Ann", "game settings", number=there.number)
    assert f"You have no seat in game {there.number}" in asked.text
