"""Synthetic histories: valid, canonical, the same each time, and like the real one."""

from collections import Counter

import numpy as np
import pytest
from bench import measure, synthetic
from conftest import ROOT, small_content

from edo.commands import check
from edo.core.files import write_file
from edo.history import canonical
from edo.history.dataset import load
from edo.history.project import Project, read_site_config
from edo.history.settings import DEFAULT
from edo.rating import edo, network
from edo.rating.games import games_of, pairings


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    folder = tmp_path_factory.mktemp("synthetic") / "events"
    for path, text in synthetic.files(300):
        write_file(folder / path, text.encode())
    return folder


def test_files_have_no_errors_and_are_canonical(events):
    assert all(problem.severity == "warning" for problem in check.find(events).problems)
    files = sorted(events.rglob("*.yaml"))[::20]
    assert not [path for path in files if canonical.form(path, path.name).changes]


def test_the_same_history_is_made_each_time(events):
    made = list(synthetic.files(300))
    assert made == [(path, (events / path).read_text()) for path, _ in made]
    assert made != list(synthetic.files(300, seed=2))


def test_the_history_is_rated_and_like_the_real_one(events):
    """Of 2,045 rated players: 6.8 years each, 47 % with one; 0.8 events and 20 games each."""
    dataset = load(events)
    games = games_of(dataset)
    net = network.build(games, DEFAULT)
    years = np.diff(net.start)
    done = edo.run(games, read_site_config(ROOT / "site.yaml").settings)  # with its anchor
    assert np.std(done.raw) == pytest.approx(235, rel=0.25)
    assert len(years) == pytest.approx(300, rel=0.2)
    assert years.mean() == pytest.approx(6.8, rel=0.25) and years.max() > 35
    assert (years == 1).mean() == pytest.approx(0.47, abs=0.1)
    assert net.games.sum() / 2 / len(years) == pytest.approx(18, rel=0.3)
    kinds = {event.kind for event in dataset.events.values()}
    assert kinds == {"match", "tournament", "team match"}


def _kinds_and_pairings(dataset):
    """Return the shares of the kinds of events, and the pairings per match and tournament."""
    per_event = Counter(pairing.event for pairing in pairings(games_of(dataset)))
    kinds = Counter(event.kind for event in dataset.events.values())
    shares = {kind: number / len(dataset.events) for kind, number in kinds.items()}
    of_kind = Counter()
    for event in dataset.events.values():
        of_kind[event.kind] += per_event[event.id]
    means = {kind: of_kind[kind] / kinds[kind] for kind in ("match", "tournament")}
    return shares, means


@pytest.mark.slow
def test_events_are_as_large_as_those_of_the_real_history_at_any_size(tmp_path):
    shares, means = _kinds_and_pairings(load(ROOT / "events"))
    for players in (2000, 8000):
        folder = tmp_path / str(players)
        for path, text in synthetic.files(players):
            write_file(folder / path, text.encode())
        made = _kinds_and_pairings(load(folder))
        assert made[0] == pytest.approx(shares, abs=0.04)
        assert made[1] == pytest.approx(means, rel=0.15)


@pytest.mark.slow
def test_builds_of_a_size_are_measured(tmp_path):
    project = Project(small_content().parent, tmp_path / "none", small_content())
    found = measure.measure_size(100, project, tmp_path)
    assert found["players"] == pytest.approx(100, rel=0.4)
    assert found["clean build"]["pages"] > found["events"]
    for name in ("check", "clean build", "nothing changed", "one note edited", "one score edited"):
        assert found[name]["processor_seconds"] > 0 and found[name]["peak_megabytes"] > 1
