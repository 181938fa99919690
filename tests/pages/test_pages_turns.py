"""The scheduler runs short jobs first, and the idle queue runs its updates when no request waits."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref

import pytest
from helpers.server_process import until_async

from explorer.execution import processors
from explorer.execution.processors import at_once
from explorer.pages.serving import idle_queue as moments
from explorer.pages.serving.idle_queue import IdleQueue, idle_queue
from explorer.pages.serving.scheduler import LONG, Scheduler

SOON = 20  # seconds that a busy machine may take; a passing test hardly waits
LONGER = 10 * LONG


def wait_for(event):
    assert event.wait(SOON)


class Held:
    """A job that starts and then waits until it is released."""

    def __init__(self):
        self.began, self.let_go = threading.Event(), threading.Event()

    def __call__(self):
        self.began.set()
        wait_for(self.let_go)
        return "held"


@pytest.fixture
def turns():
    return Scheduler(threads=2)


def occupied(turns, seconds=0.0):
    """Submit jobs that occupy as many threads as they may; return the jobs and their futures."""
    held = [Held() for _ in range(1 if seconds > LONG else 2)]
    futures = [turns.submit(each, seconds) for each in held]
    for each in held:
        wait_for(each.began)
    return held, futures


def let_go(held):
    for each in held:
        each.let_go.set()


# turns


def test_each_answer_has_one_processor(turns, monkeypatch):
    monkeypatch.setattr(processors, "_given", lambda: 8)
    for name in processors.LIMITS:
        monkeypatch.delenv(name, raising=False)
    assert (at_once(), turns.submit(at_once).result(SOON)) == (8, 1)


def test_work_gives_what_it_computes_or_raises(turns):
    assert turns.submit(lambda: 3).result(SOON) == 3
    with pytest.raises(ZeroDivisionError):
        turns.submit(lambda: 1 / 0).result(SOON)
    assert turns.submit(lambda: 4).result(SOON) == 4  # the thread survives


def test_short_work_overtakes_long_and_equal_work_keeps_its_order(turns):
    held, _ = occupied(turns)
    done = []
    asked = [turns.submit(lambda n=n: done.append(n), n) for n in (0.3, 0.1, 0.2, 0.1)]
    held[0].let_go.set()  # one thread at a time, because two could finish in any order
    for each in asked:
        each.result(SOON)
    let_go(held)
    assert done == [0.1, 0.1, 0.2, 0.3]


def test_long_work_leaves_a_thread_to_short_work(turns):
    held, (first,) = occupied(turns, LONGER)
    second = turns.submit(lambda: "long", LONGER)
    assert turns.submit(lambda: "short").result(SOON) == "short"
    assert not second.running()
    assert not second.done()
    let_go(held)
    assert first.result(SOON) == "held"
    assert second.result(SOON) == "long"


def test_long_work_is_not_overtaken_for_ever(turns, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    held, _ = occupied(turns)
    done = []
    long = turns.submit(lambda: done.append("long"), 5.0)
    now[0] = 6.0  # a job submitted after the estimated end of the long one runs after it
    late = turns.submit(lambda: done.append("late"), 0.0)
    held[0].let_go.set()
    for each in (long, late):
        each.result(SOON)
    let_go(held)
    assert done == ["long", "late"]


def test_what_is_stale_when_its_turn_comes_is_cancelled_and_never_begins(turns):
    held, _ = occupied(turns)
    begun, stale = [], [False]
    asked = turns.submit(lambda: begun.append(1), 0.0, lambda: stale[0])
    stale[0] = True
    let_go(held)
    turns.submit(lambda: None, 0.1).result(SOON)
    assert asked.cancelled()
    assert begun == []


def test_a_visitor_awaits_a_turn_and_none_is_what_was_stale(turns):
    async def both():
        return await turns.run(lambda: 3), await turns.run(lambda: 3, stale=lambda: True)

    assert asyncio.run(both()) == (3, None)


def test_the_event_loop_goes_on_while_a_turn_is_taken(turns):
    async def meanwhile():
        held, ticks = Held(), 0
        taking = asyncio.create_task(turns.run(held, LONGER))
        while not held.began.is_set():
            await asyncio.sleep(0.001)
        for _ in range(20):
            await asyncio.sleep(0.001)
            ticks += not taking.done()
        held.let_go.set()
        return ticks, await taking

    assert asyncio.run(meanwhile()) == (20, "held")


def test_whoever_stops_waiting_harms_nobody(turns):
    async def leave():
        held = Held()
        taking = asyncio.create_task(turns.run(held))
        await asyncio.to_thread(wait_for, held.began)
        taking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await taking
        return held

    asyncio.run(leave()).let_go.set()
    assert turns.submit(lambda: 5).result(SOON) == 5


def test_a_thread_that_waits_keeps_nobodys_page(turns):
    class Page:
        def compute(self):
            return 3

    page = Page()
    gone = weakref.ref(page)
    assert turns.submit(page.compute, 0.0, lambda page=page: False).result(SOON) == 3
    del page
    end = time.monotonic() + SOON
    while gone() is not None and time.monotonic() < end:  # the thread releases it just after its answer
        time.sleep(0.01)
        gc.collect()
    assert gone() is None


def test_no_more_threads_than_asked_for_and_never_fewer_than_two():
    assert Scheduler(threads=1).threads == 2
    turns = Scheduler(threads=3)
    before = threading.active_count()
    for each in [turns.submit(lambda: None) for _ in range(30)]:
        each.result(SOON)
    assert threading.active_count() - before == 3


def test_a_hundred_works_of_many_threads_are_all_done(turns):
    done, asked = [], []

    def ask(n):
        asked.extend(turns.submit(lambda i=i: done.append(i), LONGER if i % 3 == 0 else 0.0) for i in range(n, n + 25))

    asking = [threading.Thread(target=ask, args=(25 * n,)) for n in range(4)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    for each in asked:
        each.result(SOON)
    assert sorted(done) == list(range(100))


# the idle queue


def rested(*acts):
    """Act on an idle queue, and run all of its updates."""

    async def run():
        queue, over = IdleQueue(), asyncio.Event()
        for act in acts:
            act(queue)
        queue.schedule(over.set)
        await asyncio.wait_for(over.wait(), SOON)

    asyncio.run(run())


def test_a_rest_is_called_once_however_often_it_is_asked_for():
    def rest():
        names.append("rest")

    names = []
    rested(*3 * [lambda queue: queue.schedule(rest)])
    assert names == ["rest"]


def test_rests_are_called_in_the_order_in_which_they_were_asked_for():
    one, two = (lambda: names.append(1)), (lambda: names.append(2))
    names = []
    rested(lambda q: q.schedule(one), lambda q: q.schedule(two), lambda q: q.schedule(one))
    assert names == [1, 2]


def test_what_is_dropped_is_not_called():
    one, two = (lambda: names.append(1)), (lambda: names.append(2))
    names = []
    rested(lambda q: q.schedule(one), lambda q: q.schedule(two), lambda q: q.cancel(one), lambda q: q.cancel(one))
    assert names == [2]


def test_a_rest_that_fails_keeps_no_other_from_its_turn():
    names, heard = [], []

    async def run():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: heard.append(context["exception"]))
        waiting = IdleQueue()
        waiting.schedule(lambda: 1 / 0)
        waiting.schedule(lambda: names.append("next"))
        await until_async(lambda: names)

    asyncio.run(run())
    assert names == ["next"]
    assert [type(each) for each in heard] == [ZeroDivisionError]


@pytest.mark.parametrize(("most", "called"), [(60.0, False), (0.05, True)])
def test_where_questions_queue_a_rest_waits_but_not_for_ever(monkeypatch, most, called):
    monkeypatch.setattr(moments, "MOST", most)
    names = []

    async def run():
        IdleQueue().schedule(lambda: names.append("rest"))
        for _ in range(5):  # an event loop that is always busy
            time.sleep(2 * moments.BUSY)
            await asyncio.sleep(0)
        return list(names)

    assert asyncio.run(run()) == (["rest"] if called else [])


def test_an_event_loop_has_one_queue_of_rests():
    async def two():
        return idle_queue() is idle_queue(), idle_queue()

    same, first = asyncio.run(two())
    assert same
    assert asyncio.run(two())[1] is not first
