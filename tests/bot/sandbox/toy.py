"""A small bot that uses every part of Discord the sandbox offers."""

from __future__ import annotations

import asyncio
import re
import struct
import zlib
from collections.abc import Awaitable, Callable
from io import BytesIO

import discord
from discord import app_commands


def png(width: int, height: int, shade: int) -> bytes:
    """A grey picture of that size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\x00" + bytes([shade]) * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def picture(name: str = "map.png", shade: int = 200) -> discord.File:
    return discord.File(BytesIO(png(32, 16, shade)), name, description="a map")


class PassButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"g:(?P<seq>\d+):pass"):
    """A button that survives a restart: all it knows is in its custom_id."""

    def __init__(self, seq: int) -> None:
        super().__init__(discord.ui.Button(label="Pass", custom_id=f"g:{seq}:pass"))
        self.seq = seq

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str]
    ) -> PassButton:
        return cls(int(match["seq"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        message = interaction.message
        assert message is not None
        embed = discord.Embed(title=f"move {self.seq + 1}").set_image(url="attachment://new.png")
        view = discord.ui.View(timeout=None).add_item(PassButton(self.seq + 1))
        await message.edit(embed=embed, attachments=[picture("new.png", 90)], view=view)
        await interaction.followup.send(
            f"{interaction.user.display_name} passed at {self.seq}", ephemeral=True
        )


class BidForm(discord.ui.Modal, title="Your bid"):
    amount: discord.ui.Label[BidForm] = discord.ui.Label(
        text="Amount", component=discord.ui.TextInput(custom_id="amount", max_length=5)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.amount.component, discord.ui.TextInput)
        await interaction.response.send_message(f"bid {self.amount.component.value}", ephemeral=True)


class CompanySelect(discord.ui.Select[discord.ui.View]):
    def __init__(self) -> None:
        options = [discord.SelectOption(label=name, value=name) for name in ("PRR", "C&O", "B&O")]
        super().__init__(custom_id="company", placeholder="Company", options=options, max_values=2)

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content=f"chosen {' '.join(sorted(self.values))}", view=None)


class MenuButton(discord.ui.Button[discord.ui.View]):
    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(BidForm())


class Toy(discord.Client):
    """The toy bot; ``errors`` collects what its command tree could not do."""

    def __init__(self, intents: discord.Intents | None = None, heartbeat_timeout: float = 60.0) -> None:
        super().__init__(
            heartbeat_timeout=heartbeat_timeout,
            intents=intents or discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=0.02,
        )
        self.tree = app_commands.CommandTree(self)
        self.errors: list[Exception] = []
        self.resumed = 0
        add_commands(self.tree)

        async def on_error(interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
            self.errors.append(getattr(error, "original", error))

        self.tree.on_error = on_error  # type: ignore[method-assign]

    async def setup_hook(self) -> None:
        self.add_dynamic_items(PassButton)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Nobody else identifies here: there is nothing to wait for."""

    async def on_resumed(self) -> None:
        self.resumed += 1


def add_commands(tree: app_commands.CommandTree[Toy]) -> None:
    game = app_commands.Group(name="game", description="Games", guild_only=True)

    @game.command(name="new", description="Open a game")
    async def new(
        interaction: discord.Interaction, title: str, seats: app_commands.Range[int, 2, 6] = 3
    ) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel)
        embed = discord.Embed(title=title, description=f"{seats} seats").set_image(url="attachment://map.png")
        view = discord.ui.View(timeout=None).add_item(PassButton(1))
        post = await channel.send(
            "a new game", embed=embed, files=[picture(), picture("market.png")], view=view
        )
        await post.pin()
        thread = await post.create_thread(name=f"{title} game", auto_archive_duration=10080)
        await thread.add_user(interaction.user)
        await interaction.followup.send(
            f"opened {thread.mention}", file=picture("own.png"), embed=embed.set_image(url=None)
        )

    @new.autocomplete("title")
    async def titles(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        if current == "many":
            return [app_commands.Choice(name=str(n), value=str(n)) for n in range(26)]
        if current == "long":
            return [app_commands.Choice(name="x" * 101, value="x")]
        seats = interaction.namespace.seats
        names = [f"18Chesapeake for {seats}", "18AL", "18TN"]
        return [app_commands.Choice(name=n, value=n) for n in names if current.lower() in n.lower()]

    tree.add_command(game)

    @tree.command(description="Ask two people, ping one")
    async def turn(interaction: discord.Interaction, first: discord.Member, second: discord.Member) -> None:
        assert isinstance(interaction.channel, discord.TextChannel)
        text = f"{first.mention} and {second.mention}"
        await interaction.channel.send(text, allowed_mentions=discord.AllowedMentions(users=[second]))
        await interaction.response.send_message("done", ephemeral=True)

    @tree.command(description="A word in private")
    async def whisper(interaction: discord.Interaction, to: discord.Member) -> None:
        await to.send(f"from {interaction.user.display_name}", file=picture("secret.png"))
        await interaction.response.send_message("sent", ephemeral=True)

    @tree.command(description="Menus and forms")
    async def menu(interaction: discord.Interaction) -> None:
        view = (
            discord.ui.View(timeout=None)
            .add_item(CompanySelect())
            .add_item(MenuButton(label="Bid", custom_id="bid"))
        )
        await interaction.response.send_message("choose", view=view)

    @tree.command(description="Answer after a while")
    async def late(interaction: discord.Interaction, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await interaction.response.send_message("late")

    @tree.command(description="Answer twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once")
        again = discord.InteractionResponse(interaction)
        await again.send_message("twice")

    @tree.command(description="Send what is too large")
    async def oversize(interaction: discord.Interaction, what: str) -> None:
        await interaction.response.defer(ephemeral=True)
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel)
        try:
            await OVERSIZE[what](channel)
        except discord.HTTPException as error:
            await interaction.followup.send(f"{error.status} {error.code}")
        else:
            await interaction.followup.send("accepted")


def embeds(*lengths: int) -> list[discord.Embed]:
    return [discord.Embed(description="x" * length) for length in lengths]


LOST = discord.Embed(title="x").set_image(url="attachment://none.png")
OVERSIZE: dict[str, Callable[[discord.TextChannel], Awaitable[object]]] = {
    "text": lambda channel: channel.send("x" * 2001),
    "file": lambda channel: channel.send(file=discord.File(BytesIO(bytes(10_485_761)), "big.bin")),
    "files": lambda channel: channel.send(files=[picture(f"{n}.png") for n in range(10)]),
    "embed": lambda channel: channel.send(embeds=embeds(4097)),
    "embeds": lambda channel: channel.send(embeds=embeds(3001, 3000)),
    "attachment": lambda channel: channel.send(embed=LOST),
    "empty": lambda channel: channel.send(""),
    "message": lambda channel: channel.fetch_message(1),
}
