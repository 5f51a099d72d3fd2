"""Client addresses: of the peer, or from a trusted proxy; IPv6 counts as /64."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, Self, TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK_NETWORKS: Final = "127.0.0.0/8, ::1"
"""Networks whose proxies are trusted by default: this machine."""


class Proxies:
    """The trusted proxies in front of the page."""

    def __init__(self, networks: Sequence[Network]) -> None:
        self._networks = networks

    @classmethod
    def read_proxies(cls, text: str) -> Self:
        """The proxies from addresses and networks separated by commas; raises ValueError."""
        return cls([ip_network(part.strip()) for part in text.split(",")])

    def trusts(self, peer: str) -> bool:
        """True if a peer is a trusted proxy."""
        address = _parse_address(peer)
        return address is not None and any(address in network for network in self._networks)

    def may_be_unlisted_proxy(self, peer: str) -> bool:
        """True if a peer in a private network may be an unlisted proxy."""
        address = _parse_address(peer)
        return address is not None and address.is_private and not self.trusts(peer)

    def address_of(self, peer: str, forwarded_for: str) -> str:
        """The client's address: the last of `X-Forwarded-For` from a proxy, else the peer's."""
        forwarded_address = (
            _parse_address(forwarded_for.rpartition(",")[2].strip()) if self.trusts(peer) else None
        )
        return limit_key(peer) if forwarded_address is None else _network_counted_as_one(forwarded_address)


def limit_key(peer: str) -> str:
    """The address as limits count it; unchanged if invalid."""
    address = _parse_address(peer)
    return peer if address is None else _network_counted_as_one(address)


def _network_counted_as_one(address: IPv4Address | IPv6Address) -> str:
    """The network of an address: a /64 for IPv6."""
    return str(
        IPv6Network((address.packed, 64), strict=False) if isinstance(address, IPv6Address) else address
    )


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
