# SPDX-License-Identifier: MIT
"""Networks: what was learned or read, and everything one asks of it."""

from __future__ import annotations

import ctypes
import html
import json
import os
import tempfile
from typing import (
    Any,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

import numpy as np

from ._library import library, texts
from ._options import Settings, takes_options
from ._run import Error, Handle, ProgressLike, Run
from ._table import Path, TableLike, _pandas, from_table, int_array, to_table


def rules_of(run: Run, rules: Any) -> Optional[Handle]:
    """Rules from a text, a list of lines, or paths to rule files."""
    if rules is None:
        return None
    if isinstance(rules, (str, os.PathLike)):
        rules = [rules]
    handle = Handle(run.call("rules_new"), "rules_free")
    for rule in rules:
        if isinstance(rule, os.PathLike):
            run.call("rules_read", handle.address, os.fspath(rule).encode())
            continue
        for line in str(rule).splitlines():
            run.call("rules_add", handle.address, line.encode())
    return handle


class Answer(Mapping[str, Any]):
    """What a query found: the distribution of each target, by name; of a number
    its mean and standard deviation.

    ``probability`` is that of the evidence (its density, if the values of
    numbers are known), ``method`` what computed it, ``joint``, ``covariances``
    and ``explanations`` are there if they were asked for.
    """

    def __init__(self, facts: Dict[str, Any]) -> None:
        self.facts = facts
        self.probability: float = float(
            facts.get("evidence_density", facts.get("evidence_probability", 1))
        )
        self.method: str = facts.get("method", "")
        self.joint = facts.get("joint")
        self.covariances: Dict[str, Dict[str, float]] = facts.get("covariances", {})
        self.explanations: List[Dict[str, Any]] = facts.get("explanations", [])
        self._marginals: Dict[str, Dict[str, float]] = {
            name: {state: float(p) for state, p in states.items()}
            for kind in ("marginals", "numbers")
            for name, states in facts.get(kind, {}).items()
        }
        self._numbers = set(facts.get("numbers", {}))

    def __getitem__(self, name: str) -> Any:
        pandas, states = _pandas(), self._marginals[name]
        return states if pandas is None else pandas.Series(states, name=name)

    def __iter__(self) -> Any:
        return iter(self._marginals)

    def __len__(self) -> int:
        return len(self._marginals)

    def to_dict(self) -> Dict[str, Dict[str, float]]:
        return self._marginals

    def __repr__(self) -> str:
        lines = [
            f"{name}: " + ", ".join(f"{s} {p:.6g}" for s, p in states.items())
            for name, states in self._marginals.items()
        ]
        for e in self.explanations:
            found = {**e.get("states", {}), **e.get("values", {})}
            states = ", ".join(f"{k}={v}" for k, v in found.items())
            lines.append(f"{e.get('probability', e.get('density')):.6g}: {states}")
        lines.append(f"probability of the evidence: {self.probability:.6g}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = []
        for name, states in self._marginals.items():
            for state, p in states.items():
                if name in self._numbers:
                    rows.append(
                        f"<tr><td>{html.escape(name)}</td><td>{html.escape(state)}"
                        f"</td><td>{p:.6g}</td><td></td></tr>"
                    )
                    continue
                rows.append(
                    f"<tr><td>{html.escape(name)}</td><td>{html.escape(state)}</td>"
                    f"<td>{p:.4f}</td><td><div style='background:#4a78b5;"
                    f"height:.8em;width:{120 * p:.0f}px'></div></td></tr>"
                )
        return f"<table>{''.join(rows)}</table><p>{self.probability:.6g}</p>"


class Network:
    """A Bayesian network: arcs, states and, once fitted, tables.

    What a search said about it is in ``score``, ``bound``, ``gap``, ``status``
    and ``proved_over`` (``None`` for networks that were read), all of it in
    ``info``.

    >>> import bestdag
    >>> net = bestdag.Network.build(
    ...     {"fog": ["no", "yes"], "horn": ["off", "on"]},
    ...     arcs=[("fog", "horn")],
    ...     tables={"fog": [.8, .2], "horn": [[1, 0], [.1, .9]]})
    >>> net.query("fog | horn=on").to_dict()
    {'fog': {'no': 0.0, 'yes': 1.0}}
    """

    def __init__(
        self,
        handle: Handle,
        info: Optional[Dict[str, Any]] = None,
        result: Optional[Handle] = None,
    ) -> None:
        self._handle = handle
        self._result = result
        self.info: Dict[str, Any] = info or {}
        address = handle.address
        count = library.bestdag_network_variables(address)
        self.variables: List[str] = [
            library.bestdag_network_name(address, v).decode() for v in range(count)
        ]
        self._number = {name: v for v, name in enumerate(self.variables)}

    # ---- making ----

    @classmethod
    def build(
        cls,
        states: Union[Sequence[str], Mapping[str, Sequence[str]]],
        arcs: Iterable[Tuple[str, str]] = (),
        tables: Optional[Mapping[str, Any]] = None,
    ) -> "Network":
        """By hand: names with or without states, arcs, tables.

        A table has an axis for each parent, in the order of the variables, and
        the last for the child.
        """
        names = [str(name) for name in states]
        number = {name: v for v, name in enumerate(names)}
        parents: Dict[int, List[int]] = {}
        for tail, head in arcs:
            for name in (tail, head):
                if name not in number:
                    raise KeyError(f"there is no variable '{name}'")
            parents.setdefault(number[head], []).append(number[tail])
        with Run() as run:
            handle = Handle(
                run.call("network_build", len(names), texts(names)), "network_free"
            )
            if isinstance(states, Mapping):
                for v, labels in enumerate(states.values()):
                    texts_of = [str(x) for x in labels]
                    run.call(
                        "network_set_states",
                        handle.address,
                        v,
                        len(texts_of),
                        texts(texts_of),
                    )
            for head_v, tails in parents.items():
                run.call(
                    "network_set_parents",
                    handle.address,
                    head_v,
                    int_array(sorted(tails)),
                    len(tails),
                )
            for name, table in (tables or {}).items():
                cells = np.ascontiguousarray(table, dtype=float)
                run.call(
                    "network_set_probabilities",
                    handle.address,
                    number[name],
                    cells.ctypes.data,
                    cells.size,
                )
        return cls(handle)

    @classmethod
    def from_text(cls, text: Union[str, bytes], format: str = "") -> "Network":
        """A network from the text of a file, its format by name or content."""
        data = text.encode() if isinstance(text, str) else text
        name = ("text." + format if format else "text").encode()
        with Run() as run:
            return cls(
                Handle(run.call("network_parse", name, data, len(data)), "network_free")
            )

    def to_text(self, format: str = "bif") -> str:
        """The network in a format, as a text: ``"bif"``, ``"json"``, ``"svg"``."""
        with Run() as run:
            return run.bytes(
                "network_text", self._handle.address, format.encode()
            ).decode()

    def save(self, path: Path, format: Optional[str] = None) -> None:
        """Writes a file; the format by suffix, or by name."""
        with Run() as run:
            run.call(
                "network_write_as",
                self._handle.address,
                format.encode() if format else None,
                os.fspath(path).encode(),
            )

    def __reduce__(self) -> Any:
        return (_unpickle, (self.to_text("json"), self.info))

    # ---- what the search said ----

    def _number_of(self, field: str) -> Optional[float]:
        value = self.info.get(field)
        return None if value is None else float(value)

    @property
    def score(self) -> Optional[float]:
        return self._number_of("score")

    @property
    def bound(self) -> Optional[float]:
        return self._number_of("bound")

    @property
    def gap(self) -> Optional[float]:
        return self._number_of("gap")

    @property
    def status(self) -> Optional[str]:
        return self.info.get("status")

    @property
    def proved_over(self) -> Optional[str]:
        return self.info.get("proved_over")

    # ---- the graph ----

    def parents(self, name: str) -> List[str]:
        v = self._find(name)
        room = len(self.variables)
        to = (ctypes.c_int * room)()
        count = library.bestdag_network_parents(self._handle.address, v, to, room)
        return [self.variables[p] for p in to[:count]]

    @property
    def arcs(self) -> List[Tuple[str, str]]:
        return [(p, name) for name in self.variables for p in self.parents(name)]

    def states(self, name: str) -> List[str]:
        v = self._find(name)
        address = self._handle.address
        return [
            library.bestdag_network_label(address, v, s).decode()
            for s in range(library.bestdag_network_states(address, v))
        ]

    def is_number(self, name: str) -> bool:
        """Is the variable a number, and not one with states?"""
        v = self._find(name)
        return bool(library.bestdag_network_is_number(self._handle.address, v))

    def _find(self, name: str) -> int:
        if name not in self._number:
            near = library.bestdag_name_nearest(
                str(name).encode(), texts(self.variables), len(self.variables)
            )
            hint = f", did you mean '{near.decode()}'?" if near else ""
            raise KeyError(f"there is no variable '{name}'{hint}")
        return self._number[name]

    def _json(self, name: str, *arguments: Any) -> Dict[str, Any]:
        with Run() as run:
            facts: Dict[str, Any] = json.loads(
                run.text(name, self._handle.address, *arguments)
            )
            return facts

    def cpdag(self) -> Dict[str, List[Tuple[str, str]]]:
        """Its equivalence class: compelled and reversible arcs."""
        facts = self._json("network_class")
        return {
            kind: [(arc[0], arc[1]) for arc in facts[kind]]
            for kind in ("compelled", "reversible")
        }

    def compare(self, other: "Network") -> Dict[str, Any]:
        """How far ``other`` (learned) is from this network (the truth)."""
        return self._json("network_compare", other._handle.address)

    # ---- tables ----

    @property
    def fitted(self) -> bool:
        return all(
            self._cells(v) is not None or self._terms(v) is not None
            for v in range(len(self.variables))
        )

    def _cells(self, v: int) -> Optional[np.ndarray[Any, Any]]:
        rows, states = ctypes.c_int64(), ctypes.c_int()
        address = library.bestdag_network_table(
            self._handle.address, v, ctypes.addressof(rows), ctypes.addressof(states)
        )
        if not address:
            return None
        count = rows.value * states.value
        cells = (ctypes.c_double * count).from_address(address)
        return np.array(cells, dtype=float).reshape(rows.value, states.value)

    def _terms(self, v: int) -> Optional[np.ndarray[Any, Any]]:
        rows, terms = ctypes.c_int64(), ctypes.c_int()
        address = library.bestdag_network_regression(
            self._handle.address, v, ctypes.addressof(rows), ctypes.addressof(terms)
        )
        if not address:
            return None
        count = rows.value * terms.value
        cells = (ctypes.c_double * count).from_address(address)
        return np.array(cells, dtype=float).reshape(rows.value, terms.value)

    def regressions(self, name: str) -> Any:
        """The regressions of a number: a data frame with a row for each
        configuration of the parents with states, and the columns ``intercept``,
        one for each parent that is a number, and ``sd``; without pandas an
        array."""
        terms = self._terms(self._find(name))
        if terms is None:
            raise Error(f"'{name}' has no regressions: it has states, or no parameters")
        pandas = _pandas()
        if pandas is None:
            return terms
        parents = self.parents(name)
        states = [p for p in parents if not self.is_number(p)]
        columns = ["intercept", *(p for p in parents if self.is_number(p)), "sd"]
        if not states:
            return pandas.DataFrame(terms, columns=columns)
        index = pandas.MultiIndex.from_product(
            [self.states(p) for p in states], names=states
        )
        return pandas.DataFrame(terms, index=index, columns=columns)

    def cpt(self, name: str) -> Any:
        """The conditional table: a data frame with a row for each configuration
        of the parents; without pandas an array with an axis for each parent."""
        cells = self._cells(self._find(name))
        if cells is None and self.is_number(name):
            raise Error(f"'{name}' is a number: see regressions()")
        if cells is None:
            raise Error("the network has no tables: fit it first")
        parents, pandas = self.parents(name), _pandas()
        if pandas is None:
            return cells.reshape([len(self.states(p)) for p in parents] + [-1])
        columns = pandas.Index(self.states(name), name=name)
        if not parents:
            return pandas.DataFrame(cells, columns=columns)
        index = pandas.MultiIndex.from_product(
            [self.states(p) for p in parents], names=parents
        )
        return pandas.DataFrame(cells, index=index, columns=columns)

    # ---- asking ----

    @takes_options("query", "inference", "run")
    def query(self, text: str = "", **options: Any) -> Answer:
        """``"aground, lifeboat | fog=yes, do(lamp=lit)"``: targets, evidence."""
        settings = Settings(("query", "inference", "run"), options)
        with Run(settings.of_run) as run:
            bag = settings.handle(run)
            return Answer(
                json.loads(
                    run.text(
                        "network_query",
                        self._handle.address,
                        text.encode(),
                        bag.address,
                    )
                )
            )

    def do(self, **values: Any) -> "Intervened":
        """The network after interventions, to be queried:
        ``net.do(treated="yes").query("survived | winter=hard")``."""
        for name in values:
            self._find(name)
        return Intervened(self, values)

    @takes_options("effect", "inference")
    def effect(
        self, cause: str, effect: str, *, rules: Any = None, **options: Any
    ) -> Dict[str, Any]:
        """P(effect | do(cause)) for every state of the cause, the adjustment set
        it rests on, and whether the data can tell the direction."""
        settings = Settings(("effect", "inference"), options)
        with Run() as run:
            bag, knowledge = settings.handle(run), rules_of(run, rules)
            facts: Dict[str, Any] = json.loads(
                run.text(
                    "network_effect",
                    self._handle.address,
                    cause.encode(),
                    effect.encode(),
                    knowledge.address if knowledge else None,
                    bag.address,
                )
            )
            return facts

    @takes_options("relate")
    def relate(self, question: Optional[str] = None, **options: Any) -> Dict[str, Any]:
        """``"A ; B | C"``: d-separated or not; or what the options ask for."""
        settings = Settings(("relate",), options)
        with Run() as run:
            bag = settings.handle(run)
            facts: Dict[str, Any] = json.loads(
                run.text(
                    "network_relate",
                    self._handle.address,
                    question.encode() if question is not None else None,
                    bag.address,
                )
            )
            return facts

    def sample(self, rows: int, seed: int = 1) -> Any:
        """Rows drawn from the network, as a data frame."""
        with Run({"seed": str(seed)}) as run:
            return from_table(
                Handle(
                    run.call("network_sample", self._handle.address, rows),
                    "table_free",
                )
            )

    @takes_options("impute", "inference", "table", "run")
    def impute(self, data: TableLike, **options: Any) -> Any:
        """The table with its missing cells filled in: their most probable values
        together, or what the options ask for."""
        from ._sets import _split

        of_table, rest = _split(options)
        settings = Settings(("impute", "inference", "run"), rest)
        with Run(settings.of_run) as run:
            table = to_table(run, data, of_table, missing="keep")
            bag = settings.handle(run)
            return from_table(
                Handle(
                    run.call(
                        "network_impute",
                        self._handle.address,
                        table.address,
                        bag.address,
                    ),
                    "table_free",
                )
            )

    @takes_options("fit", "table", "run")
    def fit(self, data: TableLike, *, rules: Any = None, **options: Any) -> "Network":
        """The same structure with probabilities estimated from a table."""
        from ._sets import _split

        of_table, rest = _split(options)
        settings = Settings(("fit", "run"), rest)
        with Run(settings.of_run) as run:
            table = to_table(run, data, of_table)
            bag, knowledge = settings.handle(run), rules_of(run, rules)
            return Network(
                Handle(
                    run.call(
                        "network_fit_under",
                        self._handle.address,
                        table.address,
                        knowledge.address if knowledge else None,
                        bag.address,
                    ),
                    "network_free",
                )
            )

    @takes_options("table")
    def predict(
        self,
        data: TableLike,
        target: Optional[str] = None,
        *,
        probabilities: bool = False,
        **options: Any,
    ) -> Any:
        """The most probable state of ``target`` for each row, or with
        ``probabilities`` a data frame with a column for each state."""
        from ._sets import _split

        of_table, rest = _split(options)
        if target is not None:
            self._find(target)
            rest["class_"] = target
        settings = Settings(("classify",), rest)
        with Run() as run:
            table = to_table(run, data, of_table, missing="keep")
            bag = settings.handle(run)
            answer = Handle(
                run.call(
                    "classifier_predict",
                    self._handle.address,
                    table.address,
                    bag.address,
                ),
                "table_free",
            )
            frame = from_table(answer)
        names = list(frame)
        if not probabilities:
            return frame[names[0]]
        kept = {n[2:-1]: frame[n] for n in names[1:]}
        pandas = _pandas()
        return kept if pandas is None else pandas.DataFrame(kept)

    @takes_options("score", "table")
    def evaluate(self, data: TableLike, **options: Any) -> Dict[str, Any]:
        """Log-likelihood of a table, and every score of the structure."""
        from ._sets import _split

        of_table, rest = _split(options)
        settings = Settings(("score",), rest)
        with Run() as run:
            table = to_table(run, data, of_table)
            bag = settings.handle(run)
            facts: Dict[str, Any] = json.loads(
                run.text(
                    "network_evaluate",
                    self._handle.address,
                    table.address,
                    bag.address,
                )
            )
            return facts

    # ---- showing ----

    def report(self, path: Path) -> None:
        """One HTML page: drawing, tables, evidence and, after a search, its
        progress and provenance."""
        target = os.fspath(path).encode()
        with Run() as run:
            if self._result is not None:
                run.call("result_write", self._result.address, b"report", target)
            else:
                run.call("network_report", self._handle.address, target)

    def _repr_html_(self) -> str:
        picture = ""
        try:
            picture = self.to_text("svg")
        except Error:  # no Graphviz
            picture = f"<pre>{html.escape(self.to_text('modelstring'))}</pre>"
        return f"<p>{html.escape(self._headline())}</p>{picture}"

    def _headline(self) -> str:
        text = f"{len(self.variables)} variables, {len(self.arcs)} arcs"
        if self.score is not None:
            text += f"; score {self.score:.3f}"
        if self.bound is not None:
            text += f", bound {self.bound:.3f}"
        if self.status == "optimal":
            text += f"; proved optimal over {self.proved_over}"
        elif self.gap is not None:
            text += f"; gap {100 * self.gap:.3g} %"
        return text

    def __repr__(self) -> str:
        return f"<Network: {self._headline()}>"

    def plot(self, ax: Any = None) -> Any:
        """Draws the network with matplotlib (Graphviz makes the picture)."""
        import matplotlib.pyplot as plt

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.png")
            self.save(path)
            picture = plt.imread(path)
        if ax is None:
            ax = plt.gca()
        ax.imshow(picture)
        ax.set_axis_off()
        return ax

    # ---- other packages ----

    def to_networkx(self) -> Any:
        """A ``networkx.DiGraph``; nodes carry their states."""
        import networkx

        graph = networkx.DiGraph()
        for name in self.variables:
            graph.add_node(name, states=self.states(name))
        graph.add_edges_from(self.arcs)
        return graph

    def to_pgmpy(self) -> Any:
        """A pgmpy network with the same tables."""
        from pgmpy.factors.discrete import TabularCPD

        try:
            from pgmpy.models import DiscreteBayesianNetwork as Model
        except ImportError:
            from pgmpy.models import BayesianNetwork as Model
        model = Model()
        model.add_nodes_from(self.variables)
        model.add_edges_from(self.arcs)
        for name in self.variables:
            cells = self._cells(self._find(name))
            if cells is None:
                continue
            parents = self.parents(name)
            model.add_cpds(
                TabularCPD(
                    name,
                    cells.shape[1],
                    cells.T,
                    evidence=parents or None,
                    evidence_card=[len(self.states(p)) for p in parents] or None,
                    state_names={x: self.states(x) for x in [name] + parents},
                )
            )
        return model

    @classmethod
    def from_pgmpy(cls, model: Any) -> "Network":
        """From a pgmpy network with tables."""
        tables = {cpd.variable: cpd for cpd in model.get_cpds()}
        names = [str(name) for name in model.nodes()]
        states = {
            name: [str(s) for s in tables[name].state_names[name]] for name in names
        }
        place = {name: v for v, name in enumerate(names)}
        cells = {}
        for name in names:
            cpd = tables[name]
            axes = [str(v) for v in cpd.variables[1:]]
            order = sorted(range(len(axes)), key=lambda i: place[axes[i]])
            values = np.moveaxis(np.asarray(cpd.values, float), 0, -1)
            cells[name] = np.transpose(values, order + [len(axes)])
        return cls.build(states, [(str(a), str(b)) for a, b in model.edges()], cells)


class Intervened:
    """A network after interventions: see :meth:`Network.do`."""

    def __init__(self, network: Network, values: Mapping[str, Any]) -> None:
        self.network = network
        self.values = {name: str(value) for name, value in values.items()}

    def query(self, text: str = "", **options: Any) -> Answer:
        forced = ", ".join(f"do({_quoted(n)}={_quoted(v)})" for n, v in self.values.items())
        joint = ", " if "|" in text else " | "
        return self.network.query(text + joint + forced, **options)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _unpickle(text: str, info: Dict[str, Any]) -> Network:
    network = Network.from_text(text, "json")
    network.info = info
    return network


def result_of(run: Run, result: Handle, kept: str) -> Network:
    """The network of a result, with what the search said."""
    info: Dict[str, Any] = json.loads(run.text("result_json", result.address))
    address = library.bestdag_result_network(result.address)
    run.note_interrupt(kept)
    borrowed = Handle(0, "network_free", result)
    borrowed.address = address
    borrowed._free = _keep
    return Network(borrowed, info, result)


def _keep(address: int) -> None:
    """Of a network that belongs to its result."""


def load(path: Path) -> Network:
    """Reads a network; the format by suffix, else by content."""
    with Run() as run:
        return Network(
            Handle(run.call("network_read", os.fspath(path).encode()), "network_free")
        )


@takes_options("generate", "run")
def generate(**options: Any) -> Network:
    """A random network, for tests and studies.

    >>> import bestdag
    >>> bestdag.generate(variables=12, seed=3)
    <Network: 12 variables, 16 arcs>
    """
    settings = Settings(("generate", "run"), options)
    with Run(settings.of_run) as run:
        bag = settings.handle(run)
        return Network(
            Handle(run.call("network_generate", bag.address), "network_free")
        )


__all__ = ["Answer", "Intervened", "Network", "generate", "load", "ProgressLike"]
