"""The SQLite database of all tables, with types, keys and views.

The file is made in memory and holds no time, so that the same rows make the same bytes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from operator import itemgetter

from edo.export.table import Column, Kind, Row, Table

_TYPES: Mapping[Kind, str] = {
    "string": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "boolean": "INTEGER",
}


@dataclass(frozen=True, slots=True)
class View:
    """A view of the database: its SQL, and a description for readers."""

    name: str
    description: str
    select: str


VIEWS: tuple[View, ...] = (
    View(
        "player_results",
        "Every result twice, once from each player’s side; left_out and entered as in results.",
        """SELECT id AS result, event, year, round, player_a AS player, player_b AS opponent,
       points_a AS points, games, won_a AS won, drawn, won_b AS lost, left_out, entered
FROM results
UNION ALL
SELECT id, event, year, round, player_b, player_a,
       points_b, games, won_b, drawn, won_a, left_out, entered
FROM results""",
    ),
    View(
        "head_to_head",
        "Each player’s record against each opponent, as on the pages of players: the results that "
        "are not excluded and, in columns of their own, games deduced from totals. If some score "
        "does not distinguish wins from draws, won, drawn and lost are empty.",
        """WITH met AS (
  SELECT player, opponent, event, games, points, won, drawn, lost, 0 AS g, 0 AS p
  FROM player_results WHERE left_out IS NULL
  UNION ALL
  SELECT player_a, player_b, event, 0, 0, 0, 0, 0, games, score_a
  FROM pairings WHERE basis <> 'results' AND event IN (SELECT event FROM results)
  UNION ALL
  SELECT player_b, player_a, event, 0, 0, 0, 0, 0, games, games - score_a
  FROM pairings WHERE basis <> 'results' AND event IN (SELECT event FROM results)
)
SELECT player, opponent, COUNT(DISTINCT event) AS events,
       SUM(games) AS games, SUM(points) AS points,
       CASE WHEN SUM(won IS NULL) = 0 THEN SUM(won) END AS won,
       CASE WHEN SUM(won IS NULL) = 0 THEN SUM(drawn) END AS drawn,
       CASE WHEN SUM(won IS NULL) = 0 THEN SUM(lost) END AS lost,
       SUM(g) AS deduced_games, SUM(p) AS deduced_points
FROM met GROUP BY player, opponent""",
    ),
    View(
        "best_of_year",
        "The ten highest-rated players of each year, with the probability of having been the "
        "strongest, where that is 1% or more.",
        """SELECT r.year, r.rank, r.player, p.name, r.rating, r.deviation, r.games, n.p_first
FROM ratings AS r
JOIN players AS p ON p.id = r.player
LEFT JOIN number_one AS n ON n.player = r.player AND n.year = r.year
WHERE r.rank <= 10
ORDER BY r.year, r.rank""",
    ),
)


# The checks of a table are for those who change it; the tests ask whether all rows meet them.
_FASTER = ("journal_mode = OFF", "cache_size = -100000", "ignore_check_constraints = ON")


class Database:
    """A database of tables, to which they are added one by one, and of what their columns mean."""

    def __init__(self) -> None:
        self._sqlite = sqlite3.connect(":memory:")
        self._sqlite.execute("PRAGMA page_size = 4096")
        for pragma in _FASTER:
            self._sqlite.execute(f"PRAGMA {pragma}")
        self._tables: list[Table] = []

    def add(self, table: Table, rows: Iterable[Row]) -> None:
        """Add a table with its rows."""
        self._sqlite.execute(create(table))
        places = ", ".join("?" * len(table.columns))
        if table.key:  # a third faster in the order in which they are kept
            rows = sorted(rows, key=itemgetter(*map(table.header.index, table.key)))
        self._sqlite.executemany(f'INSERT INTO "{table.name}" VALUES ({places})', rows)
        self._tables.append(table)

    def finished(self, about: Iterable[tuple[str, str]]) -> bytes:
        """Return the database with its views and `about`, its description by key and value.

        The database is closed then.
        """
        with closing(self._sqlite) as database:
            for view in VIEWS:
                database.execute(f"CREATE VIEW {view.name} AS\n{view.select}")
            _describe(database, self._tables)
            database.executemany("INSERT INTO meta VALUES (?, ?)", about)
            database.commit()
            database.execute("VACUUM")
            return database.serialize()


def create(table: Table) -> str:
    """Return the statement that makes a table."""
    lines = [_column(column) for column in table.columns]
    if table.key:
        lines.append(f"PRIMARY KEY ({_names(table.key)})")
    lines += [
        f"FOREIGN KEY ({_names(reference.columns)}) "
        f'REFERENCES "{reference.table}" ({_names(reference.to)})'
        for reference in table.references
    ]
    body = ",\n  ".join(lines)
    return f'CREATE TABLE "{table.name}" (\n  {body}\n)' + (" WITHOUT ROWID" if table.key else "")


def _column(column: Column) -> str:
    name = f'"{column.name}"'
    parts = [name, _TYPES[column.kind]]
    if column.required:
        parts.append("NOT NULL")
    if column.values:
        values = ", ".join(f"'{value}'" for value in column.values)
        parts.append(f"CHECK ({name} IN ({values}))")
    parts += [
        f"CHECK ({name} {sign} {bound:g})"
        for sign, bound in ((">=", column.least), ("<=", column.most))
        if bound is not None
    ]
    return " ".join(parts)


def _names(columns: Iterable[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def _describe(database: sqlite3.Connection, tables: Sequence[Table]) -> None:
    database.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
    database.execute("CREATE TABLE meta_tables (name TEXT PRIMARY KEY, description TEXT NOT NULL)")
    named = [(table.name, table.description) for table in tables]
    named += [(view.name, view.description) for view in VIEWS]
    database.executemany("INSERT INTO meta_tables VALUES (?, ?)", named)
    database.execute(
        "CREATE TABLE meta_columns (table_name TEXT NOT NULL, name TEXT NOT NULL, "
        "description TEXT NOT NULL, PRIMARY KEY (table_name, name))"
    )
    columns = [
        (table.name, column.name, column.description)
        for table in tables
        for column in table.columns
    ]
    database.executemany("INSERT INTO meta_columns VALUES (?, ?, ?)", columns)
