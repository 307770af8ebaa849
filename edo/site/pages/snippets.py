"""How the data files are loaded: for each tool a few lines that work in the folder of the files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snippet:
    """A few lines of a language."""

    title: str
    language: str
    code: str


SNIPPETS = (
    Snippet(
        "SQLite, in a terminal",
        "sh",
        """sqlite3 -header -column history.sqlite \\
  "SELECT rank, name, rating, deviation FROM best_of_year WHERE year = 1883\"""",
    ),
    Snippet(
        "SQLite, in Python",
        "python",
        """import sqlite3

history = sqlite3.connect("history.sqlite")
record = history.execute(
    "SELECT opponent, games, points, won, drawn, lost FROM head_to_head "
    "WHERE player = ? ORDER BY games DESC LIMIT 10",
    ["zukertort-johannes"],
)
for row in record:
    print(*row)""",
    ),
    Snippet(
        "JSON, in Python",
        "python",
        """import json

with open("results.json", encoding="utf-8") as file:
    results = json.load(file)
print(sum(result["games"] for result in results if result["entered"]))""",
    ),
    Snippet(
        "CSV, in pandas",
        "python",
        """import pandas

def read(name):  # only an empty cell means that nothing is known
    return pandas.read_csv(name, keep_default_na=False, na_values=[""])

ratings, players = read("ratings.csv"), read("players.csv")
listed = ratings.merge(players, left_on="player", right_on="id")
best = listed[listed.year == 1883].nsmallest(10, "rank")
print(best[["rank", "name", "rating", "deviation"]])""",
    ),
    Snippet(
        "CSV, in R",
        "r",
        """ratings <- read.csv("ratings.csv", encoding = "UTF-8", na.strings = "")
players <- read.csv("players.csv", encoding = "UTF-8", na.strings = "")
listed <- merge(ratings, players, by.x = "player", by.y = "id")
best <- listed[listed$year == 1883, ]
head(best[order(best$rank), c("rank", "name", "rating", "deviation")], 10)""",
    ),
)
"""The examples of the page of the data, in its order."""
