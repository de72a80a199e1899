"""The composition root: the parts of Parlour, the order in which they open, and how they end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from random import Random

from bot import locales
from bot.cache import Budgeted
from bot.clock import Clock
from bot.games import catalogue
from bot.locales import Language
from bot.message import fonts
from bot.service.explanations import StudyPool
from bot.service.ports import Meter, NewProcesses, Span, Thinker
from bot.service.search_cluster import SearchCluster
from bot.service.search_pool import SearchPool, SearchQueue
from bot.service.search_processes import SearchProcesses
from bot.service.use_cases import UseCases
from bot.settings import Settings
from bot.storage.backup import DailyBackups
from bot.storage.database import Database, NewDatabase
from bot.storage.processes import let_play, let_start
from bot.storage.stores import Stores, stores
from bot.ui.client import ParlourClient
from bot.ui.connection import connected


@dataclass(frozen=True, slots=True)
class Parlour:
    """An open Parlour: its stores, its use cases, and its client."""

    stores: Stores
    use_cases: UseCases
    client: ParlourClient

    @property
    def caches(self) -> Sequence[Budgeted]:
        """All that is kept to save time, each within its budget."""
        tables = self.stores.tables.cache.parts
        made = self.use_cases.puzzles.cache
        return (*tables, *self.client.caches, made, *catalogue.CACHES, *fonts.CACHES)

    async def connect(self, token: str, url: str | None = None) -> None:
        """Stay on Discord, or at a server at `url` that speaks its protocol, until closed.

        Raises:
            ConnectionRefused: It does not let the bot in.
            StorageError: The database belongs to another bot.
        """
        await connected(self.client, token, url=url, retries=self.client.retries)


@asynccontextmanager
async def open(  # noqa: A001
    settings: Settings,
    *,
    clock: Clock,
    rng: Random,
    thinker: Thinker | None = None,
    processes: NewProcesses = SearchProcesses,
    languages: Mapping[str, Language] | None = None,
    sprites: Mapping[str, Callable[[], bytes]] | None = None,
    new_sandbox: int | None = None,
    announce: Callable[[], None] = lambda: None,
    checker: Callable[[], str | None] = lambda: None,
    meter: Meter | None = None,
    new_database: NewDatabase = Database,
    settling: float = 0.0,
) -> AsyncIterator[Parlour]:
    """Parlour on its database, ready to connect; `announce` is called when it has.

    `processes` or a cluster think unless there is another `thinker`. A `new_sandbox`, given by the
    id of its application, has none of the messages sent before, and knows none of the servers on
    Discord. `checker` gives the address of the page that checks dice, if there is one. `meter`
    keeps what is measured. A `new_database` works in threads unless it is made otherwise. For
    `settling` seconds after a change of a board its new buttons take no press.

    Raises:
        StorageError: The database cannot be used, or belongs to another bot by what is known.
        NoCluster: The cluster cannot be used.
        MissingText: The catalogues lack a text of a command.
    """
    backups = DailyBackups(settings.database_url) if settings.daily_backup else None
    allow = (
        partial(let_start, bot=settings.bot)
        if new_sandbox is None
        else partial(let_play, sandbox=new_sandbox)
    )
    async with AsyncExitStack() as stack:
        opened = stores(
            settings.database_url,
            clock,
            settings.share,
            timed=_timer(meter),
            new_database=new_database,
            allow=allow,
        )
        stored = await stack.enter_async_context(opened)
        if new_sandbox is not None:
            await stored.messages.forget_all()
            await stored.tournaments.forget_messages()
        pool: SearchPool | None = None
        if thinker is None:
            cluster = settings.search_cluster
            workers = (
                processes(settings.search_workers)
                if cluster is None
                else await SearchCluster.at(cluster)
            )
            thinker = pool = SearchPool(workers, rng, meter)
            stack.callback(pool.close)
        queue = SearchQueue(thinker, settings.search_workers, meter)
        study = StudyPool(rng, processes)
        stack.callback(study.close)
        use_cases = UseCases.over(stored, queue, study, clock, rng, backups=backups)
        client = ParlourClient(
            use_cases,
            languages=languages or locales.shipped(),
            sprites=sprites,
            source=settings.source_url,
            checker=checker,
            knows_all_servers=new_sandbox is None,
            announce=announce,
            ending=pool.end if pool else lambda: None,
            press_limit=settings.press_limit,
            settling=settling,
            meter=meter,
            turn=stored.turn,
        )
        parlour = Parlour(stored, use_cases, client)
        if meter is not None:
            meter.watch(parlour.caches)
        yield parlour


def _timer(meter: Meter | None) -> Callable[[float], None]:
    return (lambda _: None) if meter is None else partial(meter.took, Span.DATABASE)
