"""1889, as printed."""

from tests.referees.classic.printed import Title
from tests.referees.classic.t1830 import PHASES, TRAINS

BEGINNER_PRIVATES = {
    "dealt": True,
    "privates": {
        **{"TE": (20, 5), "MF": (40, 15), "ER": (40, 15), "SMR": (60, 20)},
        **{"DR": (60, 20), "SIR": (90, 25)},
    },
    "left_out": {
        2: ("TE", "MF", "ER", "SMR"),
        3: ("TE", "MF", "SMR"),
        4: ("TE", "MF"),
        5: ("MF",),
    },
    "bound": frozenset({"TE", "MF", "ER", "SMR", "DR", "SIR"}),
    **{"exchanges": {}, "stays": {}, "seller_lays": "", "powers": {}},
}
"""The beginner game (R-1889-070, R-1889-071)."""

T1889 = Title(
    name="1889",
    bank=7_000,
    cash={2: 420, 3: 420, 4: 420, 5: 390, 6: 390},
    certificates={2: 25, 3: 19, 4: 14, 5: 12, 6: 11},
    rows=(
        "75 80 90 100P 110 125 140 155 175 200 225 255 285 315 350",
        "70 75 80 90P 100 110 125 140 155 175 200 225 255 285 315",
        "65 70 75 80P 90 100 110 125 140 155 175 200",
        "60 65 70 75P 80 90 100 110 125 140",
        "55 60 65 70P 75 80 90 100",
        "50y 55 60 65P 70 75 80",
        "45y 50y 55 60 65 70",
        "40y 45y 50y 55 60",
        "30o 40y 45y 50y",
        "20o 30o 40y 45y",
        "10o 20o 30o 40y",
    ),
    homes={"AR": "K8", "IR": "E2", "SR": "I2", "KO": "K4", "TR": "F9", "KU": "C10", "UR": "B7"},
    tokens={
        **dict.fromkeys(("AR", "IR", "SR", "KO"), (0, 40)),
        **{"TR": (0, 40, 40), "KU": (0,), "UR": (0, 40, 40)},
    },
    privates={
        **{"TE": (20, 5), "MF": (30, 5), "ER": (40, 10), "SMR": (50, 15), "DR": (60, 15)},
        **{"SIR": (80, 20), "UTF": (150, 30)},
    },
    left_out={2: ("SIR", "UTF"), 3: ("UTF",)},
    trains=TRAINS,
    phases=PHASES,
    floats_at=5,
    exchanges={"DR": ("IR", ("offering",))},
    stays={"UTF": 50},
    seller_lays="ER",
    powers={"MF": "player", "ER": "seller"},
    homes_first=True,
    one_block=True,
    helps_others=False,
    sells_freely=False,
    fixed_sales=True,
    options={"beginner_game": BEGINNER_PRIVATES},
)
