"""How the models of the book's files are set: strict, unchanging, put together when first used."""

from pydantic import ConfigDict

# Pydantic's checks of a whole contain those of its parts. Put together at import, each part would
# be so once more for every whole that it is in, and a page uses few of some sixty models.
STRICT = ConfigDict(extra="forbid", frozen=True, defer_build=True)
BY_NAME = STRICT | ConfigDict(populate_by_name=True)
