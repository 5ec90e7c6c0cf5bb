# SPDX-License-Identifier: MIT
"""bestdag: learn the structure of Bayesian networks, and say how good it is.

    import bestdag
    net = bestdag.learn(frame, score="bic", time_limit=60)
    net.status, net.gap, net.arcs
    net.query("aground | fog=yes")
"""

from ._learn import (
    Bootstrap,
    bootstrap,
    check,
    discretize,
    learn,
    train,
    validate,
    verify,
)
from ._library import library as _shared
from ._network import Answer, Network, generate, load
from ._options import listing
from ._run import (
    BestdagWarning,
    Error,
    InfeasibleError,
    InputError,
    MemoryLimitError,
    Moment,
    UnprovedError,
    UsageError,
)
from ._sets import CandidateSets, LocalScores, scores

__version__: str = _shared.bestdag_version().decode()

__all__ = [
    "Answer",
    "BestdagWarning",
    "Bootstrap",
    "CandidateSets",
    "Error",
    "InfeasibleError",
    "InputError",
    "LocalScores",
    "MemoryLimitError",
    "Moment",
    "Network",
    "UnprovedError",
    "UsageError",
    "bootstrap",
    "check",
    "discretize",
    "generate",
    "learn",
    "listing",
    "load",
    "scores",
    "train",
    "validate",
    "verify",
]
