"""What stores say when they refuse or do not answer, in sentences."""

from __future__ import annotations

import re

from fixbook.problem import Problem
from fixbook.text import _

_MOST_REASON = 200
_REFUSED = re.compile(
    r"ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE_DOES_NOT_MATCH|[Ee]xpired|PERMISSION_DENIED"
    r"|UNAUTHENTICATED|HTTP status 40[13]|[Cc]redentials|[Ff]orbidden"
)
_NO_BUCKET = re.compile(r"NO_SUCH_BUCKET|bucket '?[^']*'? not found")
_NO_JAVA = re.compile(r"libjvm|libhdfs|[Cc]lass[Pp]ath")


def no_bucket(name: str) -> Problem:
    """Say that a bucket is not there."""
    mend = _("see how it is spelt, and which store the environment names")
    return Problem(name, _("there is no such bucket"), mend)


def said_of(name: str, error: OSError) -> Problem:
    """Say what a store has said, in a sentence."""
    text, scheme = str(error), name.partition("://")[0]
    if _NO_BUCKET.search(text):
        return no_bucket(name)
    if isinstance(error, PermissionError) or _REFUSED.search(text):
        return Problem(
            name,
            _("access was refused: {reason}").format(reason=reason_in(error)),
            credentials(scheme),
        )
    if _NO_JAVA.search(text):
        mend = _("set JAVA_HOME, HADOOP_HOME and CLASSPATH as 'hadoop classpath --glob' prints it")
        return Problem(name, _("HDFS needs Hadoop's own client and Java, not found here"), mend)
    what = _("the store cannot be reached: {reason}").format(reason=reason_in(error))
    return Problem(name, what, _("run it again when it answers; what is finished is kept"))


def credentials(scheme: str) -> str:
    """Say how a store learns who asks."""
    if scheme == "s3":
        return _("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or --anonymous if it is public")
    if scheme == "gs":
        return _("set GOOGLE_APPLICATION_CREDENTIALS, or --anonymous if it is public")
    return _("give credentials as the tools of this store take them from the environment")


def reason_in(error: BaseException) -> str:
    """Return the first line of what was said."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:_MOST_REASON]
