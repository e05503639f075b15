"""The sections of an article, by their anchors."""

from fixbook.text.i18n import N_

SECTIONS = {
    "symptom": N_("What you see"),
    "detect": N_("Is it yours?"),
    "why": N_("Why it happens"),
    "fixes": N_("Other fixes"),
    "non-fixes": N_("Advice that does not help"),
    "silent-twin": N_("When nothing crashes"),
    "names": N_("From release to release"),
}
