from sample_datasets import dataset

from edo.export.files import csv_bytes
from edo.export.ratings import PROBABILITY_TABLES
from edo.export.table import History
from edo.rating.edo import Ratings
from edo.rating.inference.answers import (
    Answers,
    Influence,
    Outlier,
    RankProbabilities,
    Superiority,
)


def answer_files(answers):
    history = History(dataset(), Ratings({}, {}, {}, ()), answers)
    return {table.name: csv_bytes(table, table.rows(history)) for table in PROBABILITY_TABLES}


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


def test_no_answers_make_a_header():
    files = answer_files(Answers())
    assert files["number_one"] == b"year,player,p_first,p_top10,rank_low,rank_high\n"
    assert files["influence"] == b"player,year,event,shift,of_all\n"


def test_influence_leaves_empty_what_would_not_be_rated():
    rows = {
        "b": (Influence("b", 1851, "x", None), Influence("b", 1851, "y", -12.3456)),
        "a": (Influence("a", 1850, "y", 1.0, -0.25),),
    }
    files = answer_files(Answers(influences=rows))
    assert files["influence"].decode().split("\n") == [
        "player,year,event,shift,of_all",
        "a,1850,y,1.000,-0.250",
        "b,1851,x,,0.000",
        "b,1851,y,-12.346,0.000",
        "",
    ]


def test_suspects_keep_their_order_and_name_every_cause():
    rows = (
        Outlier("x", 1884, "b", 2.5, 12, 9.125, 1.5, -4.41667, ("namesake", "wrong score")),
        Outlier("y", 1850, "a", 1, 1, 0.1, 0.3, 3.0, ()),
    )
    files = answer_files(Answers(outliers=rows))
    assert files["suspects"].decode().split("\n") == [
        "event,year,player,score,games,expected,deviation,surprise,causes",
        "x,1884,b,2.5,12,9.125,1.500,-4.417,namesake|wrong score",
        "y,1850,a,1,1,0.100,0.300,3.000,",
        "",
    ]


def test_superiority_names_each_two_once_the_better_ranked_first():
    table = ((0.5, 0.75, 0.9), (0.25, 0.5, 0.6), (0.1, 0.4, 0.5))
    answers = Answers(superiority={1850: Superiority(1850, ("b", "a", "c"), table)})
    assert answer_files(answers)["superiority"].decode().split("\n") == [
        "year,player,other,probability",
        "1850,b,a,0.7500",
        "1850,b,c,0.9000",
        "1850,a,c,0.6000",
        "",
    ]
