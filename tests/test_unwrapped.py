"""Lines are put together where they were broken, and nowhere else."""

from __future__ import annotations

import pytest

from fixbook.log.unwrapped import pieces_of

LEAD = "[11/23/26 10:00:00] ERROR    "
PATH = "  train.py:88"


def pieces(*texts: str) -> list[tuple[int, str]]:
    return list(pieces_of(list(enumerate(texts, 1))))


def of_width(text: str, width: int) -> str:
    """Fill a line up, so that it is as wide as what broke it; its blank makes it count."""
    return f"{text} ".ljust(width, "x")


def test_each_line_that_is_whole_comes_once() -> None:
    assert pieces("ab", "c d", "e") == [(1, "ab"), (2, "c d"), (3, "e")]


def test_no_more_lines_are_joined_than_a_message_was_broken_into() -> None:
    row = of_width("a", 80)
    found = pieces(*[row] * 30)
    assert max(len(text.replace(" ", "")) for _, text in found) == 13 * 79


def test_the_width_is_that_of_the_whole_log_unless_it_is_wide() -> None:
    """A paragraph that is narrow in a log of eighty columns was not broken at its own width."""
    narrow = of_width("b", 60)
    assert pieces(of_width("a", 90), "", narrow, "rest")[-2:] == [(3, narrow), (4, "rest")]
    joined = pieces(of_width("a", 150), "", narrow, "rest")
    assert (3, f"{narrow}rest") in joined


def test_a_message_of_the_log_handler_may_stand_anywhere() -> None:
    told = f"{LEAD}Failed to validate global{PATH}"
    assert (2, "Failed to validate global plan") in pieces("step 1", told, " " * len(LEAD) + "plan")


@pytest.mark.parametrize(("left", "joined"), [(0, True), (1, True), (2, False)])
def test_a_message_has_the_room_up_to_its_path(left: int, *, joined: bool) -> None:
    """A word of one letter had no room at the end of a line that is full but for one column."""
    said = of_width("Failed", 30 - left)
    told = f"{LEAD}{said}{' ' * left} train.py:88"
    found = pieces(told, " " * len(LEAD) + "a")
    assert ((1, f"{said} a") in found) is joined


def test_rows_of_a_message_are_broken_between_words() -> None:
    """A row with a blank in it would have been broken there, so its end is the end of a word."""
    row = of_width("Failed", 30)
    told = f"{LEAD}{row} train.py:88"
    below = " " * len(LEAD)
    found = pieces(told, below + row, f"{below}plan")
    assert (1, f"{row} {row} plan") in found
    assert not [text for _, text in found if f"{row}{row}" in text or f"{row}plan" in text]


@pytest.mark.parametrize(("room", "joined"), [(12, False), (16, True), (20, True)])
def test_a_narrow_column_is_no_message(room: int, *, joined: bool) -> None:
    said = of_width("Failed", room)
    found = pieces(f"{LEAD}{said} train.py:88", " " * len(LEAD) + "plan")
    assert ((1, f"{said} plan") in found) is joined


@pytest.mark.parametrize(("left", "joined"), [(1, True), (2, False)])
def test_a_cell_has_a_blank_on_either_side(left: int, *, joined: bool) -> None:
    said, side = of_width("Failed", 30 - left), "\u2502"
    found = pieces(f"{side} {said}{' ' * left} {side}", f"{side} {'a':30} {side}")
    assert ((1, f"{said} a") in found) is joined


def test_a_line_with_room_for_more_was_broken_between_words() -> None:
    """What is no longer than the width, but has no room for the next word, ends with a word."""
    wide = of_width("a", 70)
    found = pieces(wide, "and some words that stand here before it", "x" * 40)
    assert (2, "and some words that stand here before it " + "x" * 40) in found
    assert (2, "and some words that stand here before it" + "x" * 40) not in found


@pytest.mark.parametrize(("length", "joined"), [(29, False), (30, True)])
def test_a_word_that_just_had_room_was_not_broken_off(length: int, *, joined: bool) -> None:
    wide, line, word = of_width("a", 70), of_width("b", 40), "x" * length
    assert ((2, f"{line} {word}") in pieces(wide, line, word)) is joined


@pytest.mark.parametrize(
    ("width", "joined"), [(80, True), (100, True), (120, True), (132, True), (101, False)]
)
def test_a_terminal_has_one_of_the_usual_widths(width: int, *, joined: bool) -> None:
    """In a log that is wider than terminals are, a line of another width just ends there."""
    line = of_width("a", width)
    assert ((1, f"{line}rest") in pieces(line, "rest", of_width("b", 150))) is joined


@pytest.mark.parametrize(
    ("width", "below", "joined"),
    [(80, "e/train", True), (80, "    train()", False), (70, "e/train", False)],
)
def test_a_frame_is_broken_by_a_terminal_alone(width: int, below: str, *, joined: bool) -> None:
    """What stands indented below a frame is its source, however wide the frame is."""
    frame = '  File "/home/ann/x.py", line 3, in '
    frame += "f" * (width - len(frame))
    assert ((1, frame + below) in pieces(frame, below)) is joined
    soft = f"{frame} {below.strip()}"
    assert ((1, soft) in pieces(frame, below)) is joined
