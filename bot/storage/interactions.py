"""Interactions that were carried out, so that one that Discord repeats counts once."""

from __future__ import annotations

from typing import NewType

InteractionId = NewType("InteractionId", int)
