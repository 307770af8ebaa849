"""Predict the final standings of an event from all other results, as a table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from edo.commands.folder import add_event, add_events_option, event_id, positive, read
from edo.core.model import Event
from edo.systems.forecast import RUNS, EventForecast, Task, forecast_event
from edo.systems.games import games_of

POINTS = {"1": 1.0, "=": 0.5, "0": 0.0}
SHOWN = 5  # ranks whose probabilities are shown: more do not fit on a line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    add_event(parser, "new-york-1924")
    parser.add_argument(
        "--earlier", action="store_true", help="use no games of that year and later ones"
    )
    parser.add_argument(
        "--carry",
        metavar="EVENT-ID",
        type=event_id,
        help="an event before it whose points and games count",
    )
    parser.add_argument(
        "--played",
        metavar="WHITE:BLACK:RESULT",
        type=_game,
        action="append",
        default=[],
        help="a game so far, as a-b:c-d:1, or = or 0; may be repeated",
    )
    parser.add_argument("--runs", type=positive, default=RUNS, help=f"default: {RUNS}")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default: 0)")
    add_events_option(parser)


def _game(text: str) -> tuple[str, str, float]:
    match text.split(":"):
        case [white, black, result] if result in POINTS:
            return white, black, POINTS[result]
    raise argparse.ArgumentTypeError(f"{text} is not WHITE:BLACK:RESULT with 1, = or 0")


def run(options: argparse.Namespace) -> None:
    """Predict the event that the arguments name."""
    dataset, _ = read(options.events)
    task = Task(
        options.event, options.earlier, options.carry, options.played, options.runs, options.seed
    )
    found = forecast_event(games_of(dataset), task)
    print("\n".join(lines(found, dataset.events[options.event])))


def lines(found: EventForecast, event: Event) -> Iterator[str]:
    """Yield the table, best expectation first, its explanation, and what the event lacks."""
    forecast = found.forecast
    ranks = min(SHOWN, len(found.players))
    width = max(map(len, found.players))
    head = " ".join(f"{rank:>4}" for rank in range(1, ranks + 1))
    yield (f"{'player':{width}}  rating    ±  before  expected    ±   rank {head}  scored")
    order = sorted(range(len(found.players)), key=lambda k: -forecast.expected[k])
    for k in order:
        percent = " ".join(f"{100 * p:4.0f}" for p in forecast.rank_probability[k, :ranks])
        yield (
            f"{found.players[k]:{width}}  {found.rating[k]:6.0f} {found.deviation[k]:4.0f}"
            f"  {forecast.points[k]:6.1f}  {forecast.expected[k]:8.2f} {forecast.deviation[k]:4.2f}"
            f"  {forecast.rank[k]:5.2f} {percent}  {found.scored[k]:6.1f}"
            f"{'' if found.known[k] else '  no other games: rated as an average player'}"
        )
    yield (
        f"{forecast.runs:,} simulations with Bayeselo's ratings, one for all years of a player; "
        "probabilities of each rank in per cent."
    )
    if event.completeness != "complete":
        yield (
            "Only the known games are simulated, so points and ranks cover these "
            f"alone. {event.missing or 'Whether games are missing is not known.'}"
        )
