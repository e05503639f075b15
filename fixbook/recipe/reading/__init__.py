"""The source of a recipe, read and never imported: its steps, what they use, and their digests."""

from typing import TYPE_CHECKING

from fixbook.door import door
from fixbook.recipe.reading.pins import pins

if TYPE_CHECKING:
    from fixbook.recipe.reading.difference import differences
    from fixbook.recipe.reading.digest import digests_of, entry_uses
    from fixbook.recipe.reading.header import begun_alone, from_address, from_checkout, metadata
    from fixbook.recipe.reading.libraries import (
        module_of,
        needed_distributions,
        versions_for,
        with_libraries,
    )
    from fixbook.recipe.reading.outline import Outline, read_outline
    from fixbook.recipe.reading.parsing import parse
    from fixbook.recipe.reading.pins import scripts, with_pins, without_pin, write_pins
else:
    __getattr__ = door(__name__)

__all__ = [
    "Outline",
    "begun_alone",
    "differences",
    "digests_of",
    "entry_uses",
    "from_address",
    "from_checkout",
    "metadata",
    "module_of",
    "needed_distributions",
    "parse",
    "pins",
    "read_outline",
    "scripts",
    "versions_for",
    "with_libraries",
    "with_pins",
    "without_pin",
    "write_pins",
]
