"""A stand-in for Discord on this machine, with a web page to play in."""

from bot.sandbox.clock import RealClock
from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.controls import Button
from bot.sandbox.model.errors import Impossible, NotAnswered
from bot.sandbox.model.guild import Membership
from bot.sandbox.model.interactions import Answer, Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.payload import Payload
from bot.sandbox.sandbox import Sandbox

__all__ = [
    "Answer",
    "Button",
    "Channel",
    "ChannelKind",
    "Impossible",
    "Interaction",
    "Membership",
    "Message",
    "NotAnswered",
    "Payload",
    "Permission",
    "RealClock",
    "Sandbox",
]
