"""Makes the readings of a candidate, ranks them, and makes a finding of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from urlglean.expressions import compiled
from urlglean.grammar.codes import CODES
from urlglean.records import Certainty, JoinRule, Problem, Reading, Span, Wrapper
from urlglean.text.bars import divider
from urlglean.text.candidates import BLANK, Evidence, Found
from urlglean.text.choosing import NOT_VALID, Choice, Chooser, judged, not_found, settled_by
from urlglean.text.confidence import KIND_IN_WRAPPER, Kind, confidence_of
from urlglean.text.effort import FORM, PATH, PROBLEMS, SIGN, SIMPLE, Effort
from urlglean.text.emphasis import opened_before
from urlglean.text.finding import Finding, of_fast_path
from urlglean.text.gaps import MAX_READINGS, RAW_SIGN, Gap, first_readings, gaps, line_gap, readings
from urlglean.text.joining.break_record import LOOK
from urlglean.text.joining.breaks import Surroundings
from urlglean.text.joining.decision import IDLE, LEAST, Path, paths
from urlglean.text.joining.hyphens import was_put_in
from urlglean.text.joining.line_geometry import ENDS_LINE, LineGeometry
from urlglean.text.nested_strings import string_end
from urlglean.text.policy import Policy
from urlglean.text.quote_prefix import LINE_BREAK
from urlglean.text.raw_signs import LEAVES_DOUBT
from urlglean.text.scheme_triggers import KNOWN, is_cut_before_host
from urlglean.text.search_terms import LONGEST_SCHEME
from urlglean.text.settling import Collection
from urlglean.text.tail_rules import tail_of
from urlglean.text.url_characters import reach
from urlglean.text.url_end import end_of, signs_in
from urlglean.text.wrapper_comments import comment_start, word_start

_HOLDS_IT = compiled(r"(?:(?<![A-Za-z])[a-z][a-z0-9+.-]*+:|[?&][A-Za-z0-9._-]{1,40}=)\Z")
_CLOSED_BY = frozenset({"closing-punctuation", "unopened-bracket"})

BARE: frozenset[Wrapper] = frozenset({"bare", "url-prefix"})
"""The wrappers that no sign closes."""

SIMPLY_READ = "simply-read"
UNCLOSED = "unclosed-wrapper"
TOO_MANY = "too-many-readings"
_NOTES = {
    UNCLOSED: 'the wrapper opens with "<" but nothing closes it; read as bare',
    SIMPLY_READ: CODES[SIMPLY_READ].meaning,
    TOO_MANY: f"hyphens at line ends allow more than {MAX_READINGS} readings",
}
"""By code: the message of a problem of the candidate itself."""


class _Read(Struct, frozen=True):
    """The result of reading a candidate.

    Attributes:
        choices: its readings that are accepted, best first.
        otherwise: the reading that is reported as rejected if there are no choices.
        certainty: the certainty of the finding.
        notes: the codes, in `_NOTES`, of problems of the candidate itself, whatever its reading.
        explained: whether the dialect says what is wrong with a reading that is not valid.
    """

    choices: list[Choice]
    otherwise: Reading
    certainty: Certainty
    notes: tuple[str, ...] = ()
    explained: bool = True


class Interpreter:
    """Reads the candidates of one text.

    Args:
        text: the whole text.
        evidence: the URLs that the scan found in it.
        policy: decides which URLs are found, by the dialect that the caller asked for.
        joins: which broken URLs are joined, one of `records.LEVELS`.
        flowed: "flowed" or "delsp" where the text is format=flowed (RFC 3676), without or with DelSp; "" elsewhere.
        collection: settles doubtful readings, if there is one.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what a text needs
        self,
        text: str,
        evidence: Evidence,
        policy: Policy,
        joins: str,
        flowed: str,
        collection: Collection | None = None,
    ) -> None:
        self.text, self.policy, self.least, self.collection = text, policy, LEAST[joins], collection
        self.effort = Effort(len(text))
        self.around = Surroundings(text, LineGeometry(text), evidence, policy.joins, flowed, effort=self.effort)
        self.choose = Chooser(text, evidence, policy, self.effort)

    def finding(self, found: Found, *, rejected: bool) -> Finding | None:
        """The finding of a candidate: its best reading, with the others as rivals.

        It is None if a line end divides its scheme, but no joins are allowed. If no reading is accepted, it is None, or
        with `rejected` a rejected finding. To find the problems of a rejected candidate takes more time than all other
        steps.
        """
        if found.scheme_break and self.least > 1:
            return None
        if found.is_divided or self.effort.is_over(found.span.start):
            read = self._simply(found)
        elif found.wrapper in BARE:
            ways = self.ways(found)
            if found.certainty and len(ways) < 2:  # it has one reading, which `fast_path` has judged
                sure = ways[0].probability * confidence_of("bare-at-line-end") if ways else confidence_of(found.kind)
                return of_fast_path(self.text, found, found.certainty, sure, self.policy.dialect)
            read = self.bare(found, ways)
        else:
            read = self.wrapped(found)
        if found.assumed:
            read = _with_assumed(read)
        is_explained = read.explained and (not read.choices or read.choices[0].kind in NOT_VALID)
        if is_explained:  # counted even if nobody asks for rejects, so that the other findings are the same
            self.effort.spend(PROBLEMS)
        if not read.choices and not rejected:
            return None
        choices = read.choices or list(not_found(read.otherwise))
        if self.collection is not None:
            choices = settled_by(self.collection, choices)
        problems = tuple(_note(code, choices[0].reading) for code in read.notes)
        if is_explained:
            problems = self.policy.problems(choices[0].reading.text) + problems
        return judged(found, choices, read.certainty, problems, self.policy.dialect)

    def takes_until(self, found: Found, end: int) -> bool:
        """Whether a candidate would be found if it ended before `end`; false if there is no effort left to tell."""
        if self.effort.is_over(end):
            return False
        head = found.until(end)
        written = head.of(self.text)
        if found.wrapper not in BARE and BLANK.search(written):
            written = next(readings(self.text, head.span, self._line_gaps(head.span), head.assumed)).text
        self.effort.spend(FORM, len(written))
        return self.policy.takes(written)

    def _simply(self, found: Found) -> _Read:
        """Reads a candidate in the simplest way: in its first line, or a wrapper without any of its white space."""
        self.effort.spend(SIMPLE, found.span.end - found.span.start)
        reading = self._from_to(found, found.span.end)
        if BLANK.search(reading.text):
            reading = next(readings(self.text, found.span, tuple(gaps(self.text, found.span)), found.assumed))
        kind: Kind = "bare-unsure" if found.wrapper in BARE else "wrapper-joined"
        if not self.policy.valid(reading.text):
            kind = "raw"
        is_found = kind != "raw" or self.policy.raw(reading.text)
        sure = confidence_of(kind)
        if any(join.rule is JoinRule.HYPHEN_KEPT for join in reading.joins):
            sure *= confidence_of("hyphen-kept")
        choices = [Choice(reading, kind, sure)] if is_found else []
        return _Read(choices, reading, "inferred", (SIMPLY_READ,), explained=False)

    def bare(self, found: Found, ways: list[Path]) -> _Read:
        """Reads a bare candidate, including the lines on which it may go on: along its `ways`, if it has some."""
        notes: tuple[str, ...] = (UNCLOSED,) if found.unclosed else ()
        end = self._before_soft_break(found.span.start, found.span.end)
        alone = self._from_to(found, end)
        is_cut = bool(found.cut_by) or end < found.span.end
        is_doubtful = bool(notes) or _has_glued_neighbour(self.text, found)
        # Behind a first label alone, a blank may have been typed within the host.
        is_begun = found.is_beginning or alone.text.lower().endswith("://www")
        is_unsure = is_doubtful or bool(found.or_end) or is_begun
        if ways:
            choices = self._ordered([(way, self._along(found, way, alone)) for way in self._worth_reading(ways)])
            choices = _less_sure(choices, "bare-unsure") if is_doubtful else choices
        else:
            glued = [self._from_to(found, found.or_end)] if found.or_end else []
            kind = self._kind_of(found, is_cut=is_cut, is_unsure=is_unsure)
            # A soft break may leave a scheme alone.
            choices = [] if is_cut_before_host(alone.text) else self.choose.found([alone, *glued], kind)
        is_less = bool(choices) and len(choices[0].reading.text) < len(alone.text)
        is_joined = bool(found.scheme_break or (choices and choices[0].reading.joins))
        # Then its parts may not have been tried.
        is_given_up = (not choices or choices[0].kind in NOT_VALID) and self.effort.is_over(found.span.start)
        # Then some of the lines on which it may go on may not have been read, or not in all ways.
        own = len((choices[0].reading if choices else alone).text)
        is_shortened = self.effort.is_over(found.span.start, own)
        if is_shortened or is_given_up:
            notes += (SIMPLY_READ,)
        is_guessed = is_cut or is_unsure or is_less or len(choices) > 1 or is_joined or is_given_up
        stated: Certainty = "stated" if found.wrapper == "url-prefix" else "plain"
        return _Read(choices, alone, "inferred" if is_guessed else _unless_mended(choices, stated), notes)

    def _from_to(self, found: Found, end: int) -> Reading:
        """The reading from a candidate's beginning to `end` as it is in the text, behind the assumed scheme."""
        span = Span(found.span.start, end)
        if found.scheme_break:
            return next(readings(self.text, span, tuple(self._within_scheme(found)), found.assumed))
        return Reading(found.assumed + self.text[span.start : span.end], (span,), ())

    def ways(self, found: Found) -> list[Path]:
        """The paths of a bare candidate; empty if no line break has to be weighed."""
        # A near-URL has no `run_end`.
        if not found.run_end or not (found.is_weighed or ENDS_LINE.match(self.text, found.run_end)):
            return []
        return paths(self.around, found.begin, found.run_end, found.lead(self.text))

    def _worth_reading(self, ways: list[Path]) -> list[Path]:
        """The paths that may be chosen or be rivals.

        They are the path that ends in the first line, the likeliest one that the level of joins allows, and all with a
        probability of at least `IDLE`.
        """
        likeliest = next((way for way in ways if self._allows(way)), None)
        return [way for way in ways if not way.gaps or way is likeliest or way.probability >= IDLE]

    def _ordered(self, ways: list[tuple[Path, list[Choice]]]) -> list[Choice]:
        """The choices of all paths. The choices of the chosen path come first, the others are rivals.

        The chosen path is the likeliest one that the level of joins allows and that gives a URL. If no path qualifies,
        the path that ends in the first line is chosen.
        """
        allowed = (each for each in ways if self._allows(each[0]))
        lines = (each for each in ways if not each[0].gaps)
        chosen = next((each for each in (*allowed, *lines) if each[1]), None)
        if chosen is None:
            return []
        others = (each for each in ways if each is not chosen)
        return [*chosen[1], *(choice for each in others for choice in each[1])]

    def _allows(self, way: Path) -> bool:
        return not way.gaps or way.goes_on >= self.least

    def _along(self, found: Found, way: Path, alone: Reading) -> list[Choice]:
        """The choices of a bare candidate on a path; their confidences share the path's probability."""
        if not way.gaps:
            is_scheme_alone = is_cut_before_host(alone.text)
            return [] if is_scheme_alone else self.choose.found([alone], "bare-at-line-end", way.probability)
        start, last = found.span.start, way.gaps[-1].span.end
        end = self._before_soft_break(last, reach(self.text, last))
        seen = (*self._within_scheme(found), *way.gaps)
        read, _ = first_readings(self.text, Span(start, end), seen, found.assumed)
        read.sort(key=self._drops_others(seen))
        self.effort.spend(PATH + SIGN * signs_in(self.text, start, end) * len(read), (end - start) * len(read))
        if self.effort.is_over(start, end - start):
            del read[1:]
        lead = self.text[max(0, start - LOOK) : start]
        return self.choose.found([_trimmed(each, lead) for each in read], "bare-joined", way.probability)

    def _within_scheme(self, found: Found) -> Iterator[Gap]:
        """The gap within the scheme of a bare candidate, if there is one."""
        if (cut := found.scheme_break) and (line := LINE_BREAK.search(self.text, cut.start, cut.end)):
            is_soft = self.text[cut.start] in "=-"  # of quoted-printable that nobody decoded, or of a formatter
            rule = JoinRule.SOFT_BREAK if is_soft else JoinRule.HARD_WRAP
            yield line_gap(self.text, cut.start + is_soft, line.end(), cut.end, rule)

    def _of_wrapper(self, found: Found, span: Span, seen: tuple[Gap, ...]) -> tuple[list[Reading], bool]:
        """The readings of what is in a wrapper, or of its beginning, best first, and whether there are more."""
        read, more = first_readings(self.text, span, seen, found.assumed)
        if len(read) > 1 and self.around.lines.hyphenation(span.start):
            read.sort(key=self._drops_others(seen))
        if len(read) > 1 and ":" not in self.text[span.start : seen[0].span.start]:
            read.sort(key=_has_unknown_scheme)
        return read, more

    def _drops_others(self, seen: Sequence[Gap]) -> Callable[[Reading], bool]:
        """The function that tells whether a reading drops other hyphens than those that a program has put in."""
        put_in = {gap.span.start - 1 for gap in seen if gap.before == "-" and self._was_put_in(gap)}
        return lambda reading: _dropped_hyphens(reading) != put_in

    def _was_put_in(self, gap: Gap) -> bool:
        at, behind = gap.span.start - 1, gap.span.end
        before, after = self.text[max(0, at - LOOK) : at], self.text[behind : behind + LOOK]
        return was_put_in(before, after, self.around.lines.hyphenation(at))

    def _kind_of(self, found: Found, *, is_cut: bool, is_unsure: bool) -> Kind:
        """The kind of a bare candidate for which no line break has to be weighed."""
        if found.scheme_break:
            return "bare-joined"
        if is_unsure:
            return "bare-unsure"
        if is_cut:
            return "bare-closed" if found.cut_by and _CLOSED_BY.issuperset(found.cut_by) else "bare-cut"
        return "url-prefix" if found.wrapper == "url-prefix" else "bare"

    def _before_soft_break(self, start: int, end: int) -> int:
        """The end of a URL, without a last "=" that is a soft break of quoted-printable (RFC 2045 6.7).

        `start` is where its last piece begins. Quoted-printable would have encoded any other "=" in that. It breaks no
        line before an empty one.
        """
        at_break = self.text[end - 1] == "=" and LINE_BREAK.match(self.text, end)
        if not at_break or RAW_SIGN.search(self.text, start, end) or LINE_BREAK.match(self.text, at_break.end()):
            return end
        return end - 1 if self.around.lines.is_quoted_printable(end) else end

    def wrapped(self, found: Found) -> _Read:
        """Reads a candidate in a wrapper, in all ways that RFC 1738's appendix leaves open."""
        span = found.span
        stated: Certainty = "inferred" if found.cut_by else "stated"
        content, whole = found.of(self.text), self._from_to(found, span.end)
        if choices := self._of_a_part(found, whole):
            return _Read(choices, whole, _unless_part(choices, whole, stated))
        if not BLANK.search(content):
            choices = self.choose.found([whole], KIND_IN_WRAPPER[found.wrapper])
            return _Read(choices, whole, _unless_part(choices, whole, stated))
        seen = tuple(gaps(self.text, span))
        if self.least > 1:
            return self._cut(found, seen, 0, 1 - confidence_of("wrapper-joined"))
        remark = comment_start(self.text, span, seen, found.wrapper)
        if remark is not None and (cut := self._cut(found, seen, remark)).choices:
            return cut
        read, more = self._of_wrapper(found, span, seen)
        forms = (form for reading in read for form in self.choose.forms(reading))
        choices = self.choose.shared([form for form in forms if self.policy.valid(form.text)], "wrapper-joined")
        if not choices and all(gap.line_break for gap in seen):
            choices = self.choose.found(read, "wrapper-joined")
        elif not choices:  # blanks within a line: words may follow the URL
            return self._cut(found, seen, 0)
        if (word := word_start(self.text, span, seen)) is not None:
            choices += self._cut(found, seen, word, 1 - confidence_of("wrapper-joined")).choices
        return _Read(choices, read[0], _unless_part(choices, read[0], stated), (TOO_MANY,) if more else ())

    def _of_a_part(self, found: Found, whole: Reading) -> list[Choice]:
        """The choices if the URL is only a part of what is in its wrapper; empty if nothing shows that.

        A bar in angle brackets divides a URL from its label, as Slack writes it: `<http://...|label>`. A string of
        source code may end within quotation marks.
        """
        if found.wrapper == "quoted":
            end = string_end(self.text, found.span)
            return [] if end is None else self.choose.found([self._from_to(found, end)], "wrapper-cut")
        return self._labelled(found) if found.wrapper == "angle" and "|" in whole.text else []

    def _line_gaps(self, span: Span) -> tuple[Gap, ...]:
        """The line ends in a wrapper's content, or in its beginning, without the blanks within its lines."""
        return tuple(gap for gap in gaps(self.text, span) if gap.line_break)

    def _labelled(self, found: Found) -> list[Choice]:
        """The choices if a bar and a label stand behind the URL in its brackets; empty if none does.

        The bar is sought in the lines without their ends and margins, which may hold bars too.
        """
        lines = self._line_gaps(found.span)
        (unbroken, *_), _ = self._of_wrapper(found, found.span, lines)
        bar = divider(_with_words(unbroken), Span(0, len(unbroken.text)))
        if bar is None:
            return []
        before = Span(found.span.start, _place_of(unbroken, bar.at - len(found.assumed)))
        seen = tuple(gap for gap in lines if gap.span.start < before.end)
        may_join = self.least <= 1
        if seen and not may_join:
            return []
        parts, _ = self._of_wrapper(found, before, seen)
        whole = unbroken if may_join or not lines else None
        return self.choose.labelled(parts, whole, is_doubtful=bar.is_doubtful)

    def _cut(self, found: Found, seen: tuple[Gap, ...], at: int, path: float = 1.0) -> _Read:
        """Reads a wrapper only up to the gap of number `at` in `seen`.

        The rest is a remark, or the whole is not a URL, or joining is not allowed. `path` is the probability that this
        is right.
        """
        span = Span(found.span.start, seen[at].span.start)
        read = [_trimmed(each) for each in self._of_wrapper(found, span, seen[:at])[0]]
        return _Read(self.choose.found(read, "wrapper-cut", path), read[0], "inferred")


def _with_words(reading: Reading) -> str:
    """A reading in which a line end divides two words of what may be a label, behind its last bar."""
    text = reading.text
    label = text[text.rfind("|") + 1 :]
    last = len(text) - (reading.pieces[-1].end - reading.pieces[-1].start)
    return f"{text[:last]} {text[last:]}" if label.isalpha() and last > len(text) - len(label) else text


def _place_of(reading: Reading, at: int) -> int:
    """The place in the text of a character of a reading."""
    for piece in reading.pieces:
        if at < piece.end - piece.start:
            break
        at -= piece.end - piece.start
    return piece.start + at


def _with_assumed(read: _Read) -> _Read:
    """The result for a candidate whose scheme was assumed: one more guess makes each confidence smaller."""
    return replace(read, choices=_less_sure(read.choices, "bare-host"), certainty="inferred")


def _less_sure(choices: Sequence[Choice], doubt: Kind) -> list[Choice]:
    """The choices, each less sure by the confidence of one more guess."""
    return [replace(choice, confidence=choice.confidence * confidence_of(doubt)) for choice in choices]


def _has_glued_neighbour(text: str, found: Found) -> bool:
    """Whether text directly before or behind a bare URL may as well belong to it.

    Before the URL, such text is a letter, a digit, a scheme such as `x-frame:`, or a search that holds the URL, but not
    a label such as `See:`.
    """
    start, after = found.span.start, text[found.span.end : found.span.end + 1]
    before = text[max(0, start - LONGEST_SCHEME) : start]
    if found.wrapper == "bare" and (
        before[-1:].isalnum() or (before.endswith((":", "=")) and _HOLDS_IT.search(before) is not None)
    ):
        return True
    return after in LEAVES_DOUBT or (after > "\x7f" and not after.isspace())


def _unless_mended(choices: Sequence[Choice], certainty: Certainty) -> Certainty:
    """The certainty, or "inferred" if a sign of the first choice was replaced (`mending`)."""
    return "inferred" if choices and choices[0].reading.mends else certainty


def _unless_part(choices: Sequence[Choice], whole: Reading, certainty: Certainty) -> Certainty:
    """The same, and "inferred" too if the first choice is only a part of the whole reading."""
    return "inferred" if choices and _ends(choices[0].reading) != _ends(whole) else _unless_mended(choices, certainty)


def _ends(reading: Reading) -> tuple[int, int]:
    return reading.pieces[0].start, reading.pieces[-1].end


def _has_unknown_scheme(reading: Reading) -> bool:
    return reading.text.partition(":")[0].lower() not in KNOWN


def _dropped_hyphens(reading: Reading) -> set[int]:
    """The positions of the hyphens that the reading dropped."""
    return {join.at.start for join in reading.joins if join.rule is JoinRule.HYPHEN_DROPPED}


def _trimmed(reading: Reading, lead: str = "") -> Reading:
    """The reading without what closes a sentence, or closes what `lead` opens, the text before it.

    At least one character of its last piece is kept.
    """
    *before, last = reading.pieces
    first = len(reading.text) - (last.end - last.start)
    text, start = lead + reading.text, len(lead)
    length = end_of(text, start).at - start
    if length <= first:  # what is glued to a URL in one line is none of a URL that goes on
        length = max(tail_of(reading.text, opened_before(text, start, len(text)))[0], first + 1)
    piece = Span(last.start, last.end - (len(reading.text) - length))
    return Reading(reading.text[:length], (*before, piece), reading.joins)


def _note(code: str, reading: Reading) -> Problem:
    """The problem of a candidate that is read so: a wrapper's end is missing behind it, readings concern all of it."""
    end = len(reading.text)
    return Problem(code, Span(end if code == UNCLOSED else 0, end), CODES[code].source, _NOTES[code])
