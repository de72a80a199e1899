"""Prometheus metrics, `parlour_…` with the names of `bot.service.ports`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.cache import Budgeted
from bot.service.ports import Occurrence, Size, Span

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""In seconds; Discord waits 3 s for an acknowledgement."""


class PrometheusMeter:
    """A `bot.service.ports.Meter` that Prometheus can read."""

    def __init__(self) -> None:
        self._registry = kept = CollectorRegistry()
        self._events = {
            event: Counter(f"parlour_{event}", _words(event), ["what"], registry=kept)
            for event in Occurrence
        }
        self._spans = {
            span: Histogram(f"parlour_{span}", _words(span), buckets=BUCKETS, registry=kept)
            for span in Span
        }
        self._sizes = {size: Gauge(f"parlour_{size}", _words(size), registry=kept) for size in Size}

    def count(self, event: Occurrence, label: str) -> None:
        """Count an event."""
        self._events[event].labels(label).inc()

    def took(self, span: Span, seconds: float) -> None:
        """Observe a duration."""
        self._spans[span].observe(seconds)

    def set(self, size: Size, value: int) -> None:
        """Set a size."""
        self._sizes[size].set(value)

    def watch(self, caches: Sequence[Budgeted]) -> None:
        """Measure the bytes of caches, and their budgets, whenever they are asked for."""
        self._registry.register(_Caches(caches))

    def exposition(self) -> bytes:
        """Everything measured so far, in Prometheus' text format."""
        return generate_latest(self._registry)


class _Caches(Collector):
    """The bytes of caches and their budgets, each by the cache's name."""

    def __init__(self, caches: Sequence[Budgeted]) -> None:
        self._caches = caches

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Read all caches."""
        held, allowed = (
            GaugeMetricFamily(f"parlour_{name}", _words(name), labels=["what"])
            for name in ("cache_bytes", "cache_budget_bytes")
        )
        for cache in self._caches:
            held.add_metric([cache.name], cache.size)
            allowed.add_metric([cache.name], cache.budget)
        yield from (held, allowed)


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
