"""The words that most often go on a text behind a line end: English, German, French, Spanish, Italian."""

from __future__ import annotations

COMMON = frozenset(
    """
    a about after again all also although always am an and another any anyone are as ask at back be because been
    before being below best better both but by bye can cannot cheers click could did do does don each either else
    email etc even every everyone everything example feel few file find first follow following for found from full
    get give given go going good got great greetings had has have he hello help her here hi him his hope how
    however i if im in info instead into is isn it its just keep kind know last later least let like link list
    little look looking looks love made mail make many may maybe me might more most much must my name need needs
    never new next no none nor not note nothing now of off ok okay old on once one only or other others our out
    over own page part per perhaps please post previous probably put question quite rather re read really regards
    regarding right run said same say see seems send sent should show similar since site so some someone something
    soon still such sure take than thank thanks that the their them then there these they thing things think this
    those though thought through thus thx time to today together too try trying two under unless until up update
    upon us use used useful user using very via view want was way we web webpage website well were what when where
    whether which while who whose why will wish with within without won work working works worth would wrote yes
    yet you your yours url der die das und ist nicht ein eine zu den von mit auf im dem des sich auch es als wie
    bei oder aber nur noch nach bis aus wenn ich sie wir la les et est un une du de en pour dans que qui sur pas
    avec par au aux ce se ne ou el los las por con para una del lo il di che non per sono
    """.split()  # noqa: SIM905 - a column of words reads worse
)
