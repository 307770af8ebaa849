"""Pages drawn by several processes: the same bytes, faults named, nobody left."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial

import pytest
from conftest import ROOT
from sample_history import DATASET, RATINGS

from edo.core.problems import EdoError
from edo.site import render, urls
from edo.site.input import Link, Page, SiteInput
from edo.site.render import AssetJob, render_site

GRACE = 60  # [s] after which a process is taken to stay
SITE = SiteInput(DATASET, RATINGS, {}, None, "0123456789ab", "1")


def search_view(*decades: Link) -> dict[str, object]:
    return {"pair": (), "held": None, "letters": (), "decades": decades}


def page(number: int) -> Page:
    view = partial(search_view, Link(f"No. {number}", urls.PLAYERS))
    return Page(f"players/p{number}.html", "search.html", view, f"P{number}", f"{number}.")


PAGES = [page(number) for number in range(5 * render._PAGES_PER_TASK + 3)]


@pytest.fixture(autouse=True)
def nobody_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("processes", [2, 3, 8])
def test_as_many_processes_as_you_like_draw_the_same(processes: int):
    made = render_site(PAGES, SITE, processes=processes)
    assert sorted(made) == sorted(render.render(PAGES, SITE))


def test_others_than_the_first_process_draw():
    def by_whom() -> dict[str, object]:
        return search_view(Link(f"process {os.getpid()} drew this", urls.PLAYERS))

    site = [Page(f"players/p{n}.html", "search.html", by_whom, "P", "P.") for n in range(40)]
    here = f"process {os.getpid()} drew".encode()
    assert not any(here in html for _, html in render_site(site, SITE, processes=2))
    assert all(here in html for _, html in render_site(site, SITE)), "few pages are drawn at once"


def test_a_page_that_cannot_be_drawn_is_told():
    def broken() -> object:
        raise ZeroDivisionError("nobody played")

    n = 2 * render._PAGES_PER_TASK + 1
    with_fault = [*PAGES[:n], Page("players/q.html", "404.html", broken, "Q", "Q."), *PAGES[n:]]
    done = []
    with pytest.raises(ZeroDivisionError, match="nobody played") as met:
        done.extend(path for path, _ in render_site(with_fault, SITE, processes=2))
    assert met.value.__notes__ == ["while players/q.html was drawn"]
    assert {*done} <= {one.path for one in PAGES}


def test_a_killed_process_is_told():
    def dying() -> object:
        if os.getpid() != here:
            os._exit(1)
        return search_view()

    here = os.getpid()
    site = [*PAGES, Page("players/q.html", "search.html", dying, "Q", "Q.")]
    with pytest.raises(EdoError, match="a drawing process was killed"):
        list(render_site(site, SITE, processes=2))


SLOW = """
import sys, time
sys.path.insert(0, "tests")
from dataclasses import replace
from test_drawing import PAGES, SITE
from edo.site.render import render_site
def slow(page):
    return replace(page, view=lambda: time.sleep(0.05) or page.view())
for path, _ in render_site([slow(page) for page in PAGES], SITE, processes=2):
    print(path, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP],
)
def test_a_killed_build_leaves_no_drawing_process(number: signal.Signals):
    command = [sys.executable, "-c", SLOW]
    build = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert build.stdout is not None
    assert build.stdout.readline().startswith("players/p")
    build.send_signal(number)
    build.communicate(timeout=GRACE)
    end = time.monotonic() + GRACE
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < end:
            os.killpg(build.pid, 0)
            time.sleep(0.1)


def test_whoever_stops_half_way_leaves_no_process():
    half = render_site(PAGES, SITE, processes=2)
    next(half)
    assert len(multiprocessing.active_children()) == 2
    half.close()


@pytest.mark.parametrize("processes", [1, 2])
def test_other_files_are_made_with_the_page_of_the_same_work(processes: int):
    def by_whom(pages: Sequence[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
        yield "a.csv", b"%d" % os.getpid()
        yield "b.csv", b"%d" % len(pages)

    def view() -> dict[str, object]:
        return search_view(Link(f"process {os.getpid()}", urls.PLAYERS))

    data = Page("data/index.html", "search.html", view, "D", "D.")
    assets = [AssetJob(by_whom, (data.path,))]
    made = dict(render_site([*PAGES, data], SITE, assets, processes))
    assert {*made} == {*(page.path for page in PAGES), data.path, "a.csv", "b.csv"}
    assert b"process " + made["a.csv"] in made[data.path]
    assert made["b.csv"] == b"1"
