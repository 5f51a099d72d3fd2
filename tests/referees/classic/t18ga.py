"""18GA, as printed."""

from tests.referees.classic.printed import Phase, Title, Train

HOMES = {"ACL": "J12", "CoG": "F6", "G&F": "H4", "GA": "D10", "W&A": "D4", "SAL": "G13"}
TOKENS = {
    **dict.fromkeys(("ACL", "CoG", "GA"), (0, 40, 100, 100)),
    **{"SAL": (0, 40, 100), "G&F": (0, 40), "W&A": (0, 40)},
}

TRAINS = {
    "2": Train(100, 5, rusts="4"),
    "3": Train(180, 4, rusts="6"),
    "4": Train(300, 3, rusts="8"),
    "5": Train(450, 2),
    "6": Train(630, 2),
    "8": Train(800, 5),
}

T18GA = Title(
    name="18ga",
    bank=8_000,
    cash={3: 600, 4: 450, 5: 360},
    certificates={3: 15, 4: 12, 5: 10},
    rows=(
        "60 70 80 90 100 110P 120 135 150 170 190 210 230 250 275 300E",
        "55 60 70 80 90P 100 110 120 135 150 170 190 210 230 250",
        "50y 55 60 70P 80 90 100 110 120 135 150 170 190",
        "45y 50y 55P 60 70 80 90 100 110 120 135",
        "40y 45y 50y 55 60 70 80 90",
        "35y 40y 45y 50y 55y",
        "30y 35y 40y 45y 50y",
    ),
    homes=HOMES,
    tokens=TOKENS,
    privates={"LTR": (20, 5), "MRC": (40, 10), "W&SR": (70, 15), "OSR": (100, 20), "M&BR": (150, 25)},
    trains=TRAINS,
    phases={
        **{"2": Phase(4, 1), "3": Phase(4, 2), "4": Phase(3, 2)},
        **{"5": Phase(2, 3), "6": Phase(2, 3), "8": Phase(2, 3)},
    },
    most_percent=150,
    gifts={"M&BR": ("CoG", 1)},
    train_gift="OSR",
    powers={"MRC": "track", "W&SR": "token"},
    chosen_homes=frozenset({"W&A"}),
    home_from_start="ACL",
    trades_from=1,
    one_train_until="4",
    bank_ends="round",
    top_price=300,
    options={
        "remove_cog_token": {"tokens": {**TOKENS, "CoG": (0, 40, 100)}},
        "soft_rust_4t": {"trains": {**TRAINS, "4": Train(300, 3, retires="8")}},
        "new_georgia_florida_home": {"homes": {**HOMES, "G&F": "G3"}},
    },
)
