"""Client addresses behind reverse proxies; an IPv6 address counts as its /64 network."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, Self, TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK_NETWORKS: Final = "127.0.0.0/8, ::1"
"""The networks trusted as proxies by default: this machine."""


class Proxies:
    """The trusted reverse proxies in front of the board page."""

    def __init__(self, networks: Sequence[Network]) -> None:
        self._networks = networks

    @classmethod
    def read_proxies(cls, text: str) -> Self:
        """Parse addresses and networks separated by commas; raises ValueError."""
        return cls([ip_network(part.strip()) for part in text.split(",")])

    def trusts(self, peer: str) -> bool:
        """True if a peer (the other end of the connection) is a trusted proxy."""
        address = _parse_address(peer)
        return address is not None and any(address in network for network in self._networks)

    def may_be_unlisted_proxy(self, peer: str) -> bool:
        """True if a peer is in a private network but not trusted: perhaps a proxy that the settings do not list."""
        address = _parse_address(peer)
        return address is not None and address.is_private and not self.trusts(peer)

    def address_of(self, peer: str, forwarded_for: str) -> str:
        """The client address against which requests are counted.

        If a trusted proxy sent the request, this is the last address in `X-Forwarded-For`, else the peer's address.
        """
        forwarded_address = (
            _parse_address(forwarded_for.rpartition(",")[2].strip()) if self.trusts(peer) else None
        )
        return rate_limit_key(peer) if forwarded_address is None else _network_of_address(forwarded_address)


def rate_limit_key(peer: str) -> str:
    """The address or network against which a peer's requests are counted; an invalid address is returned unchanged."""
    address = _parse_address(peer)
    return peer if address is None else _network_of_address(address)


def _network_of_address(address: IPv4Address | IPv6Address) -> str:
    """The /64 network of an IPv6 address, or the IPv4 address itself."""
    return str(
        IPv6Network((address.packed, 64), strict=False) if isinstance(address, IPv6Address) else address
    )


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
