"""The final table as text and CSV."""

import render
from engine.tell.views import ScoreView
from tests.render.sheets import scores

TEXT = """\
18Chesapeake, final table
The bank broke in OR 6.2; the set was played out.

# player           cash shares priv. total behind
1 Ada              1250   2920     0  4170      -
2 Benjamin Feather 1702   2300     0  4002   -168
2 Cleo             1252   2750     0  4002   -168
4 Dorothea          480    450   200  1130  -3040

Ada
  PRR 6 x 300 = 1800, B&O 4 x 225 = 900, SRR 2 x 110 = 220

Benjamin Featherstonehaugh
  C&O 6 x 250 = 1500, LV 5 x 160 = 800

Cleo
  C&O 3 x 250 = 750, C&A 6 x 200 = 1200, LV 5 x 160 = 800,
  N&W 1 x 0 = 0

Dorothea
  N&W 6 x 0 = 0, PLE 5 x 90 = 450"""

CSV = """\
rank,player,cash,shares,privates,total,B&O %,B&O at 225,C&A %,C&A at 200,C&O %,C&O at 250,LV %,LV at 160,\
N&W %,N&W at 0,PLE %,PLE at 90,PRR %,PRR at 300,SRR %,SRR at 110
1,Ada,1250,2920,0,4170,40,900,0,0,0,0,0,0,0,0,0,0,60,1800,20,220
2,Benjamin Featherstonehaugh,1702,2300,0,4002,0,0,0,0,60,1500,50,800,0,0,0,0,0,0,0,0
2,Cleo,1252,2750,0,4002,0,0,60,1200,30,750,50,800,10,0,0,0,0,0,0,0
4,Dorothea,480,450,200,1130,0,0,0,0,0,0,0,0,60,0,50,450,0,0,0,0
"""


def test_text_table() -> None:
    assert render.scores_text(scores()) == TEXT


def test_text_is_60_columns_wide() -> None:
    long = scores()
    long = ScoreView(long.title * 5, "The bank broke, " * 12, long.rows)
    assert max(len(line) for line in render.scores_text(long).splitlines()) <= 60


def test_csv() -> None:
    assert render.scores_csv(scores()) == CSV


def test_scores_without_players() -> None:
    empty = ScoreView("A game", "Ended by hand.", ())
    assert "Ended by hand." in render.scores_text(empty)
    assert render.scores_csv(empty) == "rank,player,cash,shares,privates,total\n"
    assert render.render_scores(empty).startswith(b"\x89PNG")
