"""Ids of buttons, menus and forms: each is read by one component and no other, also those that old messages have."""

import re
from typing import Final

import pytest

from bot.client.features import COMPONENTS

POSTED: Final = {
    "g:7:12:0a1b2c3d": "MoveButton",
    "y:7:12:0a1b2c3d": "ConfirmButton",
    "n:7": "CancelButton",
    "u:7:12": "UndoButton",
    "e:7:12": "RedoButton",
    "b:7:12:5": "ProposeUndoButton",
    "w:7:12:0a1b2c3d": "OpenMenuButton",
    "p:7:12:0a1b2c3d:3:D2,57": "StepButton",
    "a:7:12:0a1b2c3d:CV": "AmountButton",
    "c:7:12:0a1b2c3d:D2,57,3": "PickedMoveButton",
    "s:7:12:0a1b2c3d:D2,57": "SlotSelect",
    "q:export": "PrivacyButton",
    "mute:7": "MuteButton",
    "i:2": "ClaimButton",
    "j": "ImportButton",
    "again:7": "RematchButton",
    "board:7": "BoardButton",
    "boardok:7:0042": "ConfirmBoardButton",
    "boardend": "EndSessionSelect",
    "boardend:all": "EndAllSessionsButton",
    "h:7": "PastMoveSelect",
    "h:7:12:market": "EarlierPositionButton",
    "v:7:table": "ViewButton",
    "m:7:12:mend": "RepairButton",
    "t:7:3:yes": "VoteButton",
    "d:7:34:undo:12": "ModerationButton",
    "l:7:join": "LobbyButton",
    "l:7:add": "LobbyButton",
    "l:7:conductor": "LobbyButton",
    "r:7:profile": "RulesSelect",
    "r:7:options": "RulesSelect",
    "x:7:12:back": "WhatIfControlButton",
    "xm:7:12": "MakeWhatIfButton",
    "g:7:12:0a1b2c3dw": "WhatIfMoveButton",
    "p:7:12:0a1b2c3dw:1:D2": "WhatIfStepButton",
    "s:7:12:0a1b2c3dw:D2": "WhatIfSlotSelect",
    "a:7:12:0a1b2c3dw:CV": "WhatIfAmountButton",
    "f:7:12:0a1b2c3dw:CV": "WhatIfAmountModal",
    "f:7:12:0a1b2c3dm:CV": "AmountModal",
    "o:7:12": "OfferSelect",
    "z:7:withdraw:3": "OrderButton",
    "zs:7": "SkipSelect",
    "zf:7:seal": "OrderModal",
}


@pytest.mark.parametrize("custom_id", POSTED)
def test_old_ids_work(custom_id: str) -> None:
    kinds = [kind.__name__ for kind in COMPONENTS if re.fullmatch(kind.id_pattern, custom_id)]
    assert kinds == [POSTED[custom_id]]
