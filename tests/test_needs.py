"""What keeps a step from running here."""

from __future__ import annotations

import pytest

from fixbook.environment import installed_version, machine
from fixbook.recipe.author.steps import Needs, step_of
from fixbook.recipe.running import unmet_need

HERE = installed_version("pytest")


@pytest.mark.parametrize(
    ("packages", "said"),
    [
        (("pytest",), ""),
        (("pytest>=1", "pluggy"), ""),
        (("no-such-package>=2",), "needs no-such-package: install"),
        (("pytest>=1", "pytest<2"), f"needs pytest<2, {HERE} is here"),
    ],
)
def test_a_step_may_need_a_package_or_a_release_of_it(packages: tuple[str, ...], said: str) -> None:
    found = unmet_need(Needs(packages=packages), machine())
    assert str(found or "").startswith(said)
    assert bool(found) == bool(said)


def test_a_step_names_them_in_one_way() -> None:
    step = step_of("reproduce", "it", needs=["pytest>=1"])
    assert step.needs.packages == ("pytest>=1",)
    with pytest.raises(TypeError, match="multiple values for keyword argument 'packages'"):
        step_of("reproduce", "it", packages=["pytest>=1"])
