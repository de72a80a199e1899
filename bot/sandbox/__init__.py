"""A stand-in for Discord on this machine, with a web page to play in."""

from bot.sandbox.clock import Clock, ManualClock, RealClock
from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Answer, Interaction, NotAnswered
from bot.sandbox.model.messages import Message
from bot.sandbox.person import Person
from bot.sandbox.sandbox import TOKEN, Sandbox
from bot.sandbox.web.observing import Event, Exchange, Observed

__all__ = [
    "TOKEN",
    "Answer",
    "Channel",
    "Clock",
    "Event",
    "Exchange",
    "Interaction",
    "ManualClock",
    "Message",
    "NotAnswered",
    "Observed",
    "Permission",
    "Person",
    "RealClock",
    "Sandbox",
]
