from sample_datasets import dataset

from edo.export.files import csv_bytes
from edo.export.ratings import INFLUENCE, PROBABILITY_TABLES
from edo.export.table import History
from edo.rating.edo import Ratings
from edo.rating.inference.answers import (
    Answers,
    Influence,
    RankProbabilities,
)


def answer_files(answers):
    history = History(dataset(), Ratings({}, {}, {}, ()), answers)
    return {
        table.name: csv_bytes(table, table.rows(history))
        for table in (*PROBABILITY_TABLES, INFLUENCE)
    }


def test_number_one_has_everyone_with_a_chance_of_one_percent():
    chances = [
        RankProbabilities("a", 1850, first=0.25, top_ten=0.9, rank_low=1, rank_high=12),
        RankProbabilities("b", 1850, first=0.75, top_ten=1.0, rank_low=1, rank_high=3),
        RankProbabilities("c", 1850, first=0.0, top_ten=0.01, rank_low=11, rank_high=40),
        RankProbabilities("d", 1850, first=0.0099, top_ten=0.00995, rank_low=12, rank_high=40),
        RankProbabilities("e", 1849, first=1.0, top_ten=1.0, rank_low=1, rank_high=1),
    ]
    answers = Answers(rank_probabilities={(c.player, c.year): c for c in chances})
    files = answer_files(answers)
    assert files["number_one"].decode().split("\n") == [
        "year,player,p_first,p_top10,rank_low,rank_high",
        "1849,e,1.0000,1.0000,1,1",
        "1850,b,0.7500,1.0000,1,3",
        "1850,a,0.2500,0.9000,1,12",
        "1850,c,0.0000,0.0100,11,40",
        "",
    ]


def test_influence_leaves_empty_what_would_not_be_rated():
    rows = {
        ("b", 1851): (Influence("b", 1851, "x", None), Influence("b", 1851, "y", -12.3456)),
        ("a", 1850): (Influence("a", 1850, "y", 1.0, -0.25),),
    }
    files = answer_files(Answers(influences=rows))
    assert files["influence"].decode().split("\n") == [
        "player,year,event,shift,of_all",
        "a,1850,y,1.000,-0.250",
        "b,1851,x,,0.000",
        "b,1851,y,-12.346,0.000",
        "",
    ]
