"""The messages of tournaments: the main message, the thread, the calls to tables, the podium.

They are posts, like boards: a row says what is still to be sent, and the next round makes up for
whatever was interrupted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from contextvars import Context
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord
from discord import ui

from bot.clock import lately
from bot.message.blocks import Screen
from bot.screens import tournament as screens
from bot.screens.tournament import Honour, RoleFault
from bot.screens.tournament_controls import AS_REMINDER, TournamentAction, TournamentControl
from bot.service.jobs import AWAY, GONE, apart
from bot.service.use_cases import UseCases
from bot.storage.choices import GuildId
from bot.storage.errors import Unavailable
from bot.table.seats import FORMER_PLAYERS
from bot.table.session import SessionId
from bot.table.table import Place
from bot.table.waiting import PATIENCE
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import CalledOff, Format, Leg, Stage, TournamentId
from bot.ui.boards import Boards
from bot.ui.custom_ids import page_id
from bot.ui.errors import OUT_OF_REACH, UNKNOWN_CHANNEL, unavailable
from bot.ui.permissions import permissions_in
from bot.ui.postman import Delivery, Letter, NewThread, Post, PostKind, Postman, give_up, nothing
from bot.ui.render import mentions, page_view
from bot.ui.response import Response
from bot.ui.retries import Retries
from bot.ui.winner_roles import role_fault
from bot.ui.words import Speech, link

log = logging.getLogger(__name__)

MOST_OF_A_NAME: Final = 100
"""The most characters of a thread's name."""

EDITED_EVERY: Final = timedelta(seconds=5)
"""The least time between two edits of a running tournament's message."""

REMINDED_BEFORE: Final = timedelta(minutes=10)
"""How long before a chosen start the players are reminded."""

MOST_DELETED: Final = 3
"""The number of deletions after which a tournament's message is not posted again."""


class TournamentMessages:
    """The posts of tournaments, and the steps that lead to them."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        postman: Postman,
        use_cases: UseCases,
        boards: Boards,
    ) -> None:
        self._client = client
        self._speech = speech
        self._postman = postman
        self._tournaments = use_cases.tournaments
        self._stored = use_cases.tournaments.stored
        self._arenas = use_cases.weekly_arenas
        self._edited: dict[TournamentId, datetime] = {}
        self._tables = use_cases.tables
        self._boards = boards
        self._clock = use_cases.clock
        self._share = use_cases.stores.share
        self._retries = Retries()
        self._kind = PostKind("tournament", self._draw)
        self._podiums = PostKind("podium", self._draw_podium)
        self._threads = PostKind("tournament thread")
        self._calls = PostKind("call", self._draw_call)
        self._needless = PostKind("needless call", self._draw_needless)
        self._results = PostKind("result", self._draw_result)
        self._reminders = PostKind("start", self._draw_reminder)
        self._following: set[asyncio.Task[None]] = set()
        use_cases.tables.updates.match_ended = self.match_ended

    async def run_due(self) -> None:
        """Take the steps that are due, and write all messages that are behind.

        Raises:
            ExceptionGroup: The errors at single tournaments.
        """
        with apart() as items:
            for number in await self._tournaments.due():
                await items.do(self._take_step(number), f"tournament {number}")
            behind = await self._stored.behind()
            await self._postman.go_round(Post(self._kind, number) for number in behind)
            for number in {*await self._stored.uncalled(), *await self._stored.untold()}:
                await items.do(self._follow_matches(number), f"tournament {number}")
            soon = await self._stored.starting(self._clock.now() + REMINDED_BEFORE)
            reminded = (*soon, *await self._stored.begun())
            await self._postman.go_round(Post(self._reminders, number) for number in reminded)

    async def _take_step(self, number: TournamentId) -> None:
        """Take the due steps of a tournament; open its thread or send its podium at once."""
        if _leads_on(await self._tournaments.go_on(number)):
            await self.refresh(number)

    async def refresh(self, number: TournamentId) -> Delivery:
        """Bring the message of a tournament up to date, with its thread and its podium."""
        return await self._postman.deliver(Post(self._kind, number))

    async def answer(self, response: Response, hosted: HostedTournament) -> None:
        """Answer a press on the message of a tournament by drawing its present state.

        If that cannot be read now, a later round draws it.
        """
        async with self._postman.writing(post := Post(self._kind, hosted.id)):
            try:
                hosted = await self._tournaments.hosted(hosted.id)
            except Unavailable:
                await response.acknowledge()
                return
            await response.show(self._view(hosted, screens.message(hosted)))
            sure = self._postman.is_sure(post, repeated=response.repeated)
            if sure and hosted.message is not None and hosted.tournament.stage is Stage.SIGN_UP:
                with suppress(Unavailable):  # then a round draws it once more
                    await self._stored.show(hosted.id, hosted.message, hosted.revision)

    async def go_on(self, number: TournamentId) -> None:
        """Take the due steps of a tournament, and write its messages at once."""
        hosted = await self._tournaments.go_on(number)
        await self.refresh(number)
        if hosted.thread is None:  # the first refresh opened it, and then matches
            await self.refresh(number)
        await self._follow_matches(number)

    def locale_of(self, guild: GuildId) -> str | None:
        """The language of a guild; None if the bot does not see it at the moment."""
        known = self._seen(guild)
        return None if known is None else known.preferred_locale.value

    def _seen(self, guild: int) -> discord.Guild | None:
        """A guild; None if the bot does not see it at the moment, such as just after its start."""
        known = self._client.get_guild(guild)
        return None if known is None or known.unavailable else known

    def match_ended(self, table: SessionId) -> None:
        """Have the tournament of a match go on, in the background."""
        follow = self._follow(table)  # not in the context of one interaction
        task = asyncio.create_task(follow, name="match ended", context=Context())
        self._following.add(task)
        task.add_done_callback(self._following.discard)

    async def close(self) -> None:
        """Cancel the steps after matches that have just ended; the next start takes them."""
        for task in self._following:
            task.cancel()
        await asyncio.gather(*self._following, return_exceptions=True)

    async def _follow(self, table: SessionId) -> None:
        try:
            for number, _ in await self._stored.legs_at(table):
                if self._share.owns((await self._tournaments.hosted(number)).guild):
                    await self.go_on(number)
        except (*AWAY, *GONE) as error:
            log.info("match left to the next round session=%s error=%r", table, error)
        except Exception:
            log.exception("match not followed session=%s", table)

    async def _draw(self, number: TournamentId) -> Letter | None:
        """The letter of a tournament's main message; None if nothing is to be written.

        While the bot does not see the guild, it is left to a later round, as neither permissions
        nor roles are known.
        """
        hosted = await self._tournaments.hosted(number)
        written = hosted.shown >= hosted.revision or self._is_just_edited(hosted)
        if written or self._seen(hosted.guild) is None:
            return None
        unseen = hosted.message is None and hosted.deleted >= MOST_DELETED
        if unseen and hosted.tournament.stage is Stage.SIGN_UP:
            hosted = await self._tournaments.call_off(number, CalledOff.UNSEEN)
        elif unseen and hosted.tournament.stage is Stage.OVER and _leads_on(hosted):
            letter = await self._podium_letter(hosted)
            told = partial(self._told_alone, hosted)
            return replace(letter, there=told, refused=partial(self._refused, hosted), insists=True)
        elif unseen:  # it goes on in its thread, without a message
            await self._lead_on(hosted, None)
            await self._stored.place(number, shown=hosted.revision)
            return None
        known, shown = hosted.message, screens.message(hosted)
        there = partial(self._there, hosted)
        letter = self._letter(hosted, shown, TournamentAction.RULES, hosted.channel, there=there)
        if known is None:  # `deleted` makes its nonce differ from those of deleted messages
            letter = replace(letter, once=False, marked=(*letter.marked, hosted.deleted))
        if known is None and hosted.tournament.format is Format.ARENA:
            return replace(letter, refused=partial(self._lost, hosted))
        refused = partial(self._refused, hosted)
        if known is None:
            return replace(letter, refused=refused, insists=True)
        passed = partial(there, known, sure=True)
        gone = partial(self._stored.lose_message, known) if hosted.live else passed
        return replace(letter, message=known, gone=gone, refused=refused, insists=True)

    def _is_just_edited(self, hosted: HostedTournament) -> bool:
        """Whether a running tournament's message was edited within `EDITED_EVERY`."""
        begun = hosted.tournament.stage is Stage.RUNNING and hosted.thread is not None
        last = self._edited.get(hosted.id) if begun and hosted.message is not None else None
        return last is not None and lately(last, self._clock.now(), EDITED_EVERY)

    async def _refused(self, hosted: HostedTournament, error: discord.HTTPException) -> None:
        """Open the thread or send the podium even if the message cannot be edited.

        If the channel was deleted and the tournament is over, count the message as written.
        """
        if error.code == UNKNOWN_CHANNEL and not hosted.live:
            await self._stored.place(hosted.id, shown=hosted.revision)
        elif hosted.message is not None:
            await self._lead_on(hosted, hosted.message)

    async def _lost(self, hosted: HostedTournament, error: discord.HTTPException) -> None:
        """Call off an arena whose message was refused, and end weekly arenas if out of reach."""
        for_good = error.code in OUT_OF_REACH
        await self._arenas.lose(hosted.id, GuildId(hosted.guild), for_good=for_good)

    async def _there(self, hosted: HostedTournament, message: int, /, sure: bool) -> None:
        """Save the main message, and open the thread or send the podium if due."""
        number, now = hosted.id, self._clock.now()
        self._edited = {
            each: at for each, at in self._edited.items() if lately(at, now, EDITED_EVERY)
        } | {number: now}
        if hosted.message != message:
            await self._stored.place(number, message=message)
        more = await self._lead_on(hosted, message)
        if hosted.podium is not None and not more:
            podium = await self._postman.deliver(Post(self._podiums, number), within=True)
            more = podium is Delivery.WAITS
        if sure and not more:
            await self._stored.show(number, message, hosted.revision)

    async def _told_alone(self, hosted: HostedTournament, podium: int, _: bool, /) -> None:
        """Save the podium of a tournament without a main message."""
        await self._stored.place(hosted.id, podium=podium, shown=hosted.revision)

    async def _lead_on(self, hosted: HostedTournament, message: int | None) -> bool:
        """Open the thread or send the podium if due, and save it; return whether to draw again."""
        number = hosted.id
        if self._seen(hosted.guild) is None:  # since it was drawn
            return True
        if not _leads_on(hosted):
            return False
        if hosted.tournament.stage is Stage.OVER:
            await self._stored.place(number, podium=await self._podium(hosted))
            return False
        thread = await self._thread(hosted, message)
        await self._stored.place(number, thread=thread, due=self._clock.now())
        await self._tournaments.go_on(number)
        return True

    async def _podium(self, hosted: HostedTournament) -> int:
        """Send the podium, and give the champion the role that it names."""
        podium = await self._podium_letter(hosted)
        return await self._postman.put(Post(self._podiums, hosted.id), podium)

    async def _draw_podium(self, number: TournamentId) -> Letter:
        """The letter that edits a sent podium, as it may name a person forgotten since."""
        letter = await self._podium_letter(await self._tournaments.hosted(number))
        return replace(letter, once=False, gone=nothing, refused=nothing)

    async def _podium_letter(self, hosted: HostedTournament) -> Letter:
        honour, first = await self._honour(hosted), await self._stored.first_title(hosted)
        shown = screens.podium(hosted, honour, first_title=first)
        letter = self._letter(hosted, shown, TournamentAction.SHARE, hosted.channel)
        return replace(letter, message=hosted.podium)

    async def _thread(self, hosted: HostedTournament, message: int | None) -> int:
        """The thread of a tournament; its channel where none can be made or written in."""
        guild = self._client.get_guild(hosted.guild)
        writes = permissions_in(guild, hosted.channel).send_messages_in_threads
        if message is None or not writes:
            return hosted.channel
        named = self._speech.words(hosted.locale).of(screens.named_format(hosted.tournament))
        letter = Letter(
            channel=hosted.channel,
            guild=hosted.guild,
            message=message,
            thread=NewThread(named[:MOST_OF_A_NAME], 10_080),  # as long as Discord allows
        )
        try:
            return await self._postman.put(Post(self._threads, hosted.id), letter)
        except discord.HTTPException as error:
            if unavailable(error):
                raise
            log.info("thread not opened tournament=%s error=%r", hosted.id, error)
            return hosted.channel

    async def _honour(self, hosted: HostedTournament) -> Honour | None:
        """Give the champion the server's role; None if there is none, or they have left.

        If the podium was sent already, nothing is given; the role is named if they have it.
        """
        champion, chosen = hosted.tournament.champion, self._tournaments.winner_role(hosted)
        guild = self._client.get_guild(hosted.guild)
        role = None if guild is None or chosen is None else guild.get_role(chosen)
        if champion is None or guild is None or role is None:
            return None
        if champion.person in FORMER_PLAYERS:
            return None
        if (fault := role_fault(role)) is not None:
            log.info("role not given server=%s fault=%s", hosted.guild, fault)
            return Honour(role.id, fault)
        reason = self._speech.words(hosted.locale).of(screens.honour_reason(hosted))
        try:
            find = partial(guild.fetch_member, champion.person)
            member = await self._retries.send_briefly(find)
            if hosted.podium is not None:
                return Honour(role.id) if role in member.roles else None
            await self._retries.send_briefly(partial(member.add_roles, role, reason=reason))
        except discord.HTTPException as error:
            log.info("role not given server=%s error=%r", hosted.guild, error)
            gone = isinstance(error, discord.NotFound)
            return None if gone else Honour(role.id, RoleFault.OUT_OF_REACH)
        return Honour(role.id)

    async def _follow_matches(self, number: TournamentId) -> None:
        """Send boards, then calls to them, delete needless calls, and tell how matches ended."""
        hosted, ready = await self._tournaments.hosted(number), list[Post]()
        with apart() as items:
            for leg in hosted.to_call:
                await items.do(self._open(leg), f"leg {leg.number}")
                ready.append(Post(self._calls, (number, leg.number)))
        ready += (Post(self._needless, (number, leg)) for leg in hosted.calls)
        ready += (Post(self._results, (number, legs[-1].number)) for legs in hosted.to_tell)
        ready += await self._stale(hosted)
        await self._postman.go_round(ready)
        if over := hosted.never_told:
            await self._stored.tell(number, over)

    async def _stale(self, hosted: HostedTournament) -> Sequence[Post]:
        """The messages of stale legs to draw anew: the result if it was told, else the call.

        Legs without a message are saved as fresh.
        """
        known = dict.fromkeys(hosted.calls, self._calls)
        known |= dict.fromkeys(hosted.results, self._results)
        coming = {each.number for legs in (hosted.to_call, *hosted.to_tell) for each in legs}
        for leg in hosted.stale - known.keys() - coming:
            await self._stored.freshen(hosted.id, leg, hosted.revision)
        return [Post(known[leg], (hosted.id, leg)) for leg in hosted.stale & known.keys()]

    async def _open(self, leg: Leg) -> None:
        """Send the board of a leg's table, unless it was sent."""
        assert leg.table is not None, "a leg without a table is not called"
        table = await self._tables.table(leg.table)
        if table.place.message is None:
            await self._boards.refresh(table)

    async def _draw_call(self, called: tuple[TournamentId, int]) -> Letter | None:
        """The letter that calls the players of a leg to their table; None if that was done.

        They are called even if the board was deleted, as their time must begin for the match to
        end. A stale call is drawn anew.
        """
        hosted = await self._tournaments.hosted(called[0])
        known = hosted.calls.get(called[1]) if called[1] in hosted.stale else None
        legs = hosted.to_call if known is None else hosted.tournament.legs
        leg = next((each for each in legs if each.number == called[1]), None)
        if leg is None or leg.table is None:
            return None
        place = (await self._tables.table(leg.table)).place
        if place.message is None and not place.lost:
            return None
        now = self._clock.now()
        if known is None and hosted.follows(leg):  # the same players have just played there
            await self._stored.call(hosted.id, leg.number, now, None)
            return None
        until = hosted.called.get(leg.number, now) + PATIENCE[hosted.tournament.pace]
        shown, to = screens.call(hosted, leg, link(place), until, lost=place.lost), _where(hosted)
        there = partial(self._note_called, hosted.id, leg.number)
        letter = self._letter(hosted, shown, TournamentAction.HERE, to, leg.number, there=there)
        return letter if known is None else self._anew(letter, known, hosted, leg.number)

    def _anew(self, letter: Letter, known: int, hosted: HostedTournament, leg: int) -> Letter:
        """The letter that edits a stale leg's message, until the leg is fresh or cannot be."""
        done = partial(self._stored.freshen, hosted.id, leg, hosted.revision)
        there = gone = lambda *_: done()
        refused = partial(give_up, done)
        return replace(letter, message=known, there=there, gone=gone, refused=refused)

    async def _note_called(self, number: TournamentId, leg: int, message: int, _: bool) -> None:
        await self._stored.call(number, leg, self._clock.now(), message)

    async def _draw_needless(self, called: tuple[TournamentId, int]) -> Letter | None:
        """The letter that deletes a call; None unless all have come or the leg is over."""
        hosted = await self._tournaments.hosted(called[0])
        message, leg = hosted.calls.get(called[1]), hosted.tournament.leg(called[1])
        if message is None or (leg.open and not await self._all_are_there(leg)):
            return None
        done = partial(self._stored.take_away, hosted.id, leg.number)
        return _away(hosted, _where(hosted), message, done)

    async def _all_are_there(self, leg: Leg) -> bool:
        assert leg.table is not None, "a leg without a table is not called"
        logs = (await self._tables.table(leg.table)).session.seat_logs
        return all(part.present or log.plies for part, log in zip(leg.parts, logs, strict=True))

    async def _draw_result(self, ended: tuple[TournamentId, int]) -> Letter | None:
        """The letter that tells how a match ended, or edits that if stale; None if neither."""
        hosted = await self._tournaments.hosted(ended[0])
        known = hosted.results.get(ended[1]) if ended[1] in hosted.stale else None
        matches = hosted.to_tell if known is None else hosted.tournament.matches
        legs = next((each for each in matches if each[-1].number == ended[1]), None)
        if legs is None:
            return None
        tell = partial(self._stored.tell, hosted.id, [leg.number for leg in legs])
        if hosted.tournament.format is Format.ARENA:  # its standings say so every few seconds
            await tell()
            return None
        shown = screens.match_ended(hosted, legs)
        letter = self._letter(
            hosted,
            shown,
            TournamentAction.STANDINGS,
            _where(hosted),
            ended[1],
            there=lambda message, _: tell(message),
        )
        if known is not None:
            return self._anew(letter, known, hosted, ended[1])
        return replace(letter, silent=True, refused=lambda _: tell())

    async def _draw_reminder(self, number: TournamentId) -> Letter | None:
        """The letter that says that a tournament starts soon, or deletes that after sign-up."""
        hosted = await self._tournaments.hosted(number)
        signs_up = hosted.tournament.stage is Stage.SIGN_UP
        if signs_up == (hosted.reminder is not None) or hosted.starts_at is None:
            return None
        if not signs_up:
            done = partial(self._stored.place, number, reminder=None)
            return _away(hosted, hosted.channel, hosted.reminder, done)
        if hosted.message is None or hosted.starts_at <= self._clock.now():
            return None
        message = link(Place(hosted.guild, hosted.channel, hosted.message))
        shown = screens.starts_soon(hosted, hosted.starts_at, message)
        sent = partial(self._note_reminder, number)
        return self._letter(
            hosted, shown, TournamentAction.RULES, hosted.channel, AS_REMINDER, there=sent
        )

    async def _note_reminder(self, number: TournamentId, message: int, _: bool) -> None:
        await self._stored.place(number, reminder=message)

    def _letter(
        self,
        hosted: HostedTournament,
        shown: Screen,
        known_by: TournamentAction,
        to: int,
        number: int = 0,
        *,
        there: Callable[[int, bool], Awaitable[None]] = nothing,
    ) -> Letter:
        """A letter that is sent once, and found again by the control `known_by` and `number`."""
        control = page_id(TournamentControl(hosted.id, known_by, number))
        return Letter(
            channel=to,
            guild=hosted.guild,
            there=there,
            view=self._view(hosted, shown),
            known_by=control,
            once=True,
            marked=(control,),
            allowed=mentions(shown.notifies),
        )

    def _view(self, hosted: HostedTournament, shown: Screen) -> ui.LayoutView:
        return page_view(shown, self._speech.words(hosted.locale))


def _away(
    hosted: HostedTournament, channel: int, message: int | None, done: Callable[[], Awaitable[None]]
) -> Letter:
    """A letter that deletes a message, and calls `done` then, or if it cannot be deleted ever."""
    return Letter(
        channel=channel,
        guild=hosted.guild,
        message=message,
        there=lambda *_: done(),
        gone=done,
        refused=partial(give_up, done),
        away=True,
    )


def _leads_on(hosted: HostedTournament) -> bool:
    """Whether a tournament still lacks its thread (if running) or its podium (if over)."""
    if hosted.tournament.stage is Stage.OVER:
        return hosted.podium is None
    return hosted.tournament.stage is Stage.RUNNING and hosted.thread is None


def _where(hosted: HostedTournament) -> int:
    """The channel in which the matches of a tournament are played."""
    return hosted.thread or hosted.channel
