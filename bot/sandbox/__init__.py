"""A stand-in for Discord on this machine, with a web page to play in."""

from bot.sandbox.clock import ManualClock, RealClock, SandboxClock
from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.controls import Button
from bot.sandbox.model.errors import Impossible, NotAnswered
from bot.sandbox.model.guild import Membership
from bot.sandbox.model.interactions import Answer, Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.payload import Payload
from bot.sandbox.person import Person, Value
from bot.sandbox.sandbox import TOKEN, Sandbox
from bot.sandbox.web.traffic import Event, Exchange, Observed

__all__ = [
    "TOKEN",
    "Answer",
    "Button",
    "Channel",
    "ChannelKind",
    "Event",
    "Exchange",
    "Impossible",
    "Interaction",
    "ManualClock",
    "Membership",
    "Message",
    "NotAnswered",
    "Observed",
    "Payload",
    "Permission",
    "Person",
    "RealClock",
    "Sandbox",
    "SandboxClock",
    "Value",
]
