"""The last labels of hosts."""

from __future__ import annotations

_COUNTRIES = (
    "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca "
    "cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo "
    "fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je "
    "jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo "
    "mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt "
    "pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk "
    "tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw"
)
COUNTRIES = frozenset(_COUNTRIES.split())
"""The top level domains of countries (IANA, Root Zone Database)."""

SHORT_TOPS = COUNTRIES | {"app", "com", "dev", "edu", "gov", "mil", "net", "org"}
"""Those of two and three letters behind which a hyphen or bracket is not of the host: it precedes a word or remark."""

_TOPS = (
    "com org net edu gov mil int info biz name mobi museum aero coop travel jobs cat pro asia tel app dev shop "
    "news blog xyz top cloud site online tech wiki store club live world today email agency company community "
    "computer network global group media space local example test invalid"
)
TOPS = frozenset(_TOPS.split())
"""Others that are usual, and those for examples, tests and networks at home (RFC 2606, RFC 6762)."""

ALL_TOPS = COUNTRIES | TOPS
"""All those above: of countries and others."""
