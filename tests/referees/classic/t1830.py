"""1830, as printed."""

from tests.referees.classic.printed import Phase, Title, Train

TRAINS = {
    "2": Train(80, 6, rusts="4"),
    "3": Train(180, 5, rusts="6"),
    "4": Train(300, 4, rusts="D"),
    "5": Train(450, 3),
    "6": Train(630, 2),
    "D": Train(1100, None),
}
PHASES = {
    **{"2": Phase(4, 1), "3": Phase(4, 2), "4": Phase(3, 2)},
    **{"5": Phase(2, 3), "6": Phase(2, 3), "D": Phase(2, 3)},
}
MORE = {**TRAINS, "6": Train(630, 3)}

T1830 = Title(
    name="1830",
    bank=12_000,
    cash={2: 1200, 3: 800, 4: 600, 5: 480, 6: 400},
    certificates={2: 28, 3: 20, 4: 16, 5: 13, 6: 11},
    rows=(
        "60y 67 71 76 82 90 100P 112 126 142 160 180 200 225 250 275 300 325 350",
        "53y 60y 66 70 76 82 90P 100 112 126 142 160 180 200 220 240 260 280 300",
        "46y 55y 60y 65 70 76 82P 90 100 111 125 140 155 170 185 200",
        "39o 48y 54y 60y 66 71 76P 82 90 100 110 120 130",
        "32o 41o 48y 55y 62 67 71P 76 82 90 100",
        "25b 34o 42o 50y 58y 65 67P 71 75 80",
        "18b 27b 36o 45o 54y 63 67 69 70",
        "10b 20b 30b 40o 50y 60y 67 68",
        "- 10b 20b 30b 40o 50y 60y",
        "- - 10b 20b 30b 40o 50y",
        "- - - 10b 20b 30b 40o",
    ),
    homes={
        **{"PRR": "H12", "NYC": "E19", "CPR": "A19", "B&O": "I15"},
        **{"C&O": "F6", "ERIE": "E11", "NYNH": "G19", "B&M": "E23"},
    },
    tokens={
        **dict.fromkeys(("PRR", "NYC", "CPR"), (0, 40, 100, 100)),
        **dict.fromkeys(("B&O", "C&O", "ERIE"), (0, 40, 100)),
        **dict.fromkeys(("NYNH", "B&M"), (0, 40)),
    },
    privates={
        **{"SV": (20, 5), "CS": (40, 10), "DH": (70, 15), "MH": (110, 20), "CA": (160, 25), "BO": (220, 30)}
    },
    trains=TRAINS,
    phases=PHASES,
    gifts={"CA": ("PRR", 1), "BO": ("B&O", 2)},
    exchanges={"MH": ("NYC", ("offering", "pool"))},
    bound=frozenset({"BO"}),
    closed_by={"BO": "B&O"},
    powers={"CS": "any moment", "DH": "lay"},
    free_token="DH",
    chosen_homes=frozenset({"ERIE"}),
    sell_buy_sell=True,
    trades_from=2,
    limit_gives_way=True,
    options={"multiple_brown_from_ipo": {"several_of_offering": True}, "optional_6_train": {"trains": MORE}},
)
