"""A stand-in for Discord on this machine, with a web page to play in."""

from bot.sandbox.model.accounts import Membership, Permission
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.components import Button
from bot.sandbox.model.interactions import Answer, Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.payload import Payload, RealClock
from bot.sandbox.refusals import Impossible, NotAnswered
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
