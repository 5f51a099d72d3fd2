"""Where requests come from: the peer, or what a trusted proxy says; an IPv6 address counts as its /64."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, Self, TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

THIS_MACHINE: Final = "127.0.0.0/8, ::1"
"""Where a proxy is trusted unless it is set otherwise."""


class Proxies:
    """The web servers in front of the page: what they say of an address counts."""

    def __init__(self, networks: Sequence[Network]) -> None:
        self._networks = networks

    @classmethod
    def named(cls, text: str) -> Self:
        """Those of addresses and networks with commas between them; raises ValueError."""
        return cls([ip_network(part.strip()) for part in text.split(",")])

    def trusts(self, peer: str) -> bool:
        """True if a peer is one of them."""
        address = _read(peer)
        return address is not None and any(address in network for network in self._networks)

    def overlooks(self, peer: str) -> bool:
        """True if a peer in a private network may be one that nobody has named."""
        address = _read(peer)
        return address is not None and address.is_private and not self.trusts(peer)

    def address_of(self, peer: str, forwarded: str) -> str:
        """The address that counts for a request: the last of `X-Forwarded-For`, if a proxy says so, else the peer."""
        said = _read(forwarded.rpartition(",")[2].strip()) if self.trusts(peer) else None
        return counted(peer) if said is None else _block(said)


def counted(peer: str) -> str:
    """The address as limits count it; as it is where it is none."""
    address = _read(peer)
    return peer if address is None else _block(address)


def _block(address: IPv4Address | IPv6Address) -> str:
    """A customer's part of the network: a provider gives each a /64 at least."""
    return str(
        IPv6Network((address.packed, 64), strict=False) if isinstance(address, IPv6Address) else address
    )


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
