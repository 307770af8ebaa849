from edo.answerfiles import answer_files
from edo.answers import Answers, Chance


def test_number_one_has_everyone_with_a_chance_of_one_percent():
    chances = [
        Chance("a", 1850, first=0.25, top_ten=0.9, rank_low=1, rank_high=12),
        Chance("b", 1850, first=0.75, top_ten=1.0, rank_low=1, rank_high=3),
        Chance("c", 1850, first=0.0, top_ten=0.01, rank_low=11, rank_high=40),
        Chance("d", 1850, first=0.0099, top_ten=0.00995, rank_low=12, rank_high=40),
        Chance("e", 1849, first=1.0, top_ten=1.0, rank_low=1, rank_high=1),
    ]
    answers = Answers(chances={(c.player, c.year): c for c in chances})
    files = dict(answer_files(answers))
    assert files["data/number_one.csv"].decode().split("\n") == [
        "year,player,p_first,p_top10,rank_low,rank_high",
        "1849,e,1.0000,1.0000,1,1",
        "1850,b,0.7500,1.0000,1,3",
        "1850,a,0.2500,0.9000,1,12",
        "1850,c,0.0000,0.0100,11,40",
        "",
    ]


def test_no_answers_make_a_header():
    files = dict(answer_files(Answers()))
    assert files["data/number_one.csv"] == b"year,player,p_first,p_top10,rank_low,rank_high\n"
