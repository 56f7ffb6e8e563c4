"""The screen of `urlglean pick`, by prompt_toolkit: the filter, the list, the preview, and what the keys do."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from urlglean.errors import MissingExtraError
from urlglean.output.text import counted, printable
from urlglean.pick.links import asks, target
from urlglean.pick.opening import copying
from urlglean.pick.picker import Picker
from urlglean.pick.preview import line_of, preview

try:
    from prompt_toolkit.application import Application, run_in_terminal
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.input import Input, create_input
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
    from prompt_toolkit.layout.dimension import Dimension
    from prompt_toolkit.output import Output, create_output
    from prompt_toolkit.styles import Style
except ImportError as error:
    raise MissingExtraError("pick needs the package prompt_toolkit: pip install prompt_toolkit") from error

_HELP = "Enter open  ^Y copy  ^O print  Tab other reading  Esc quit"

_STYLE = Style.from_dict(
    {
        "selected": "reverse",
        "chosen": "bold",
        "note": "ansibrightblack",
        "head": "bold",
        "url": "bold ansicyan",
        "taken": "ansibrightblack",
        "question": "bold ansired",
        "line": "ansibrightblack",
    }
)
"""How the classes look that `preview` and this module give. prompt_toolkit leaves colours out for NO_COLOR."""

_ENDED_BY = 128
"""The exit status that shells report for a signal is this and its number."""

_ESCAPE = 0.05
"""Seconds after which an ESC that nothing follows is the key itself."""


def shown(picker: Picker, opener: Callable[[str], bool], terminal: int, note: str = "") -> str | None:
    """Show a choice on a terminal until the screen is left; the URL that is to be printed.

    Args:
        picker: as in `Screen`, like `opener` and `note`.
        opener: opens a URL.
        terminal: the descriptor of the terminal, open for reading and writing.
        note: what the last line says at first.
    """
    with (
        open(terminal, encoding="utf-8", errors="replace", closefd=False) as keys,
        open(terminal, "w", encoding="utf-8", closefd=False) as page,
    ):
        return Screen(picker, opener, create_input(keys), create_output(page), note=note).run()


class Screen:
    """The screen of one choice. `run` shows it, and returns the URL to print, if one was asked for."""

    def __init__(
        self, picker: Picker, opener: Callable[[str], bool], keys: Input, page: Output, *, note: str = ""
    ) -> None:
        """Make a screen.

        Args:
            picker: what is being chosen.
            opener: opens a URL, and returns whether it could.
            keys: where keys come from.
            page: where the screen is drawn.
            note: what the last line says at first.
        """
        self._picker, self._opener = picker, opener
        self._note, self._asked = note or _HELP, ""
        self._filter = Buffer(multiline=False, on_text_changed=lambda buffer: picker.filter(buffer.text))
        self._application: Application[str | None] = Application(
            self._layout(), style=_STYLE, key_bindings=self._bindings(), full_screen=True, input=keys, output=page
        )
        self._application.ttimeoutlen = self._application.timeoutlen = _ESCAPE

    def run(self) -> str | None:
        """Show the screen until it is left; the URL that is to be printed.

        Raises:
            SystemExit: a signal ended it. The terminal is as before.
        """
        return self._application.run(pre_run=self._heed_signals)

    def _heed_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as after nohup(1)
                loop.add_signal_handler(number, self._end_by, number)

    def _end_by(self, number: int) -> None:
        # Another signal, or a key, may have ended it already.
        if self._application.is_running and not self._application.is_done:
            self._application.exit(exception=SystemExit(_ENDED_BY + number))

    def _layout(self) -> Layout:
        typed = Window(BufferControl(self._filter), height=1)
        self._list = Window(FormattedTextControl(self._lines), height=Dimension(weight=1), always_hide_cursor=True)
        parts = [
            VSplit([Window(FormattedTextControl("filter: "), width=8, height=1), typed]),
            self._list,
            Window(char="─", height=1, style="class:line"),
            Window(FormattedTextControl(self._preview), height=Dimension(weight=1), wrap_lines=True),
            Window(FormattedTextControl(self._foot), height=1),
        ]
        return Layout(HSplit(parts), focused_element=typed)

    def _lines(self) -> StyleAndTextTuples:
        shown = self._picker.shown
        window = self._picker.window(self._height)
        return [piece for at in window for piece in line_of(shown[at], selected=at == self._picker.at)]

    @property
    def _height(self) -> int:
        """The lines of the list, which are half of what the other lines leave."""
        return max(1, (self._application.output.get_size().rows - 3) // 2)

    def _preview(self) -> StyleAndTextTuples:
        link = self._picker.selected
        return [*preview(link, self._picker.reading)] if link else [("class:note", "no link has all these words")]

    def _foot(self) -> StyleAndTextTuples:
        if self._asked:
            return [("class:question", f"{asks(self._asked)} (y/n)")]
        return [("class:note", f"{counted(len(self._picker.shown), 'link')}  {self._note}")]

    def _bindings(self) -> KeyBindings:
        bindings, asking = KeyBindings(), Condition(lambda: bool(self._asked))

        def bind(*keys: str, do: Callable[[KeyPressEvent], None]) -> None:
            for key in keys:
                bindings.add(key)(do)

        bind("up", "c-p", do=lambda _: self._picker.move(-1))
        bind("down", "c-n", do=lambda _: self._picker.move(1))
        bind("pageup", do=lambda _: self._picker.move(-self._height))
        bind("pagedown", do=lambda _: self._picker.move(self._height))
        bind("home", do=lambda _: self._picker.move(-len(self._picker.shown)))
        bind("end", do=lambda _: self._picker.move(len(self._picker.shown)))
        bind("tab", do=lambda _: self._picker.turn(1))
        bind("s-tab", do=lambda _: self._picker.turn(-1))
        bind("enter", do=lambda _: self._enter())
        bind("c-y", do=lambda _: self._copy())
        bind("c-o", do=self._print)
        bind("escape", "c-g", "c-c", "c-d", do=lambda event: event.app.exit(result=None))
        bindings.add("y", filter=asking, eager=True)(lambda _: self._answer(yes=True))
        bindings.add("<any>", filter=asking, eager=True)(  # before what the keys of a buffer do
            lambda _: self._answer(yes=False)
        )
        return bindings

    def _enter(self) -> None:
        if self._picker.url is None:
            return
        if asks(self._picker.url):
            self._asked = self._picker.url
        else:
            self._open(self._picker.url)

    def _answer(self, *, yes: bool) -> None:
        asked, self._asked = self._asked, ""
        if yes:
            self._open(asked)

    def _open(self, reading: str) -> None:
        def open_it() -> None:
            done = self._opener(target(reading))
            self._note = f"opened {printable(reading)}" if done else "no browser could be started: set BROWSER"

        run_in_terminal(open_it)

    def _copy(self) -> None:
        if self._picker.url is not None:
            self._application.output.write_raw(copying(target(self._picker.url)))
            self._application.output.flush()
            self._note = f"copied {printable(self._picker.url)}"

    def _print(self, event: KeyPressEvent) -> None:
        if self._picker.url is not None:
            event.app.exit(result=target(self._picker.url))
