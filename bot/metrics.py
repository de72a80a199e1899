"""Prometheus metrics, `parlour_…` with the names of `bot.service.meter`."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bot.service.meter import Occurrence, Size, Span

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""In seconds; Discord waits 3 s for an acknowledgement."""


class PrometheusMeter:
    """A `bot.service.meter.Meter` that Prometheus can read."""

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

    def exposition(self) -> bytes:
        """Everything measured so far, in Prometheus' text format."""
        return generate_latest(self._registry)


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
