# SPDX-License-Identifier: MIT
"""Draws the charts of BENCHMARKS.md; see charts.sh. Only the standard library.

The CSV file has a line per bar: chart, row, series, value, note. The same file
always gives the same bytes.
"""
import csv
import math
import os
import sys
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, TOP = 760, 170, 90, 62
BAR, GAP = 11, 10  # pixels: height of a bar, space between rows
COLOURS = ("#1b6ca8", "#7fb3d5", "#d98c3f", "#8a8a8a")

CHARTS = {
    "prove": {
        "title": "Seconds of one core until the optimum is proved (lower is better)",
        "ticks": (0.1, 1, 10, 60),
        "unit": " s",
    },
    "heuristic": {
        "title": "Score below the best network known, per cent (lower is better)",
        "ticks": (0.001, 0.01, 0.1, 1),
        "unit": " %",
        "relative": True,
    },
    "learn": {
        "title": "Seconds from CSV to a network, by quality (ten-second runs)",
        "ticks": (0.01, 0.1, 1, 10),
        "unit": " s",
    },
}


def read(path):
    """{chart: {row: [(series, value, note)]}} in the order of the file."""
    charts = {}
    with open(path, newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            row = charts.setdefault(line["chart"], {}).setdefault(line["row"], [])
            row.append((line["series"], float(line["value"]), line["note"]))
    return charts


def below_best(rows):
    """Scores as per cents of the best score of their row, below it."""
    for name, bars in rows.items():
        best = max(value for _, value, _ in bars)
        rows[name] = [(s, 100 * (best - v) / abs(best), n) for s, v, n in bars]
    return rows


def text(x, y, words, anchor="start", extra=""):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>'
        f"{escape(words)}</text>"
    )


def number(value):
    """Three significant digits, without an exponent."""
    return f"{float(f'{value:.3g}'):.10g}"


def page(height, body):
    """A figure of these parts. Its ground is white whatever the page's is."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
        f'height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="11" fill="#222">\n'
        '<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def write(folder, name, figure):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".svg"), "w", encoding="utf-8") as file:
        file.write(figure)


class Chart:
    """Horizontal bars on a logarithmic axis, grouped by row."""

    def __init__(self, look, rows):
        self.look = look
        self.rows = below_best(rows) if look.get("relative") else rows
        self.series = list(dict.fromkeys(s for b in rows.values() for s, _, _ in b))
        self.low = math.log(look["ticks"][0] / 2)
        self.high = math.log(look["ticks"][-1])

    def x(self, value):
        share = (math.log(value) - self.low) / (self.high - self.low)
        return LEFT + max(0.0, min(1.0, share)) * (WIDTH - LEFT - RIGHT)

    def legend(self):
        out, x = [], LEFT
        for colour, name in zip(COLOURS, self.series):
            out.append(f'<rect x="{x}" y="34" width="11" height="11" fill="{colour}"/>')
            out.append(text(x + 16, 44, name))
            x += 30 + 7 * len(name)
        return out

    def axis(self, bottom):
        out = []
        for tick in self.look["ticks"]:
            x = self.x(tick)
            out.append(
                f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}" '
                'stroke="#ddd"/>'
            )
            label = number(tick) + self.look["unit"]
            out.append(text(x, bottom + 14, label, "middle"))
        return out

    def bar(self, y, series, value, note):
        colour = COLOURS[self.series.index(series)]
        label = "not proved" if note == "open" else number(value)
        if value <= 0:
            return [text(LEFT + 4, y + 9.5, "best", extra=f' fill="{colour}"')]
        end = max(self.x(value), LEFT + 2)
        look = ' fill-opacity="0.35"' if note == "open" else ""
        return [
            f'<rect x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="{BAR}" '
            f'fill="{colour}"{look}/>',
            text(end + 4, y + 9.5, label, extra=f' fill="{colour}"'),
        ]

    def draw(self):
        y, bars = TOP, []
        for name, row in self.rows.items():
            middle = y + len(row) * BAR / 2 + 4
            bars.append(text(LEFT - 8, middle, name, "end"))
            for item in row:
                bars += self.bar(y, *item)
                y += BAR
            y += GAP
        head = text(LEFT, 20, self.look["title"], extra=' font-weight="bold"')
        return page(y + 24, [head, *self.legend(), *self.axis(y), *bars])


def main(source, folder):
    for name, rows in read(source).items():
        write(folder, name, Chart(CHARTS[name], rows).draw())


if __name__ == "__main__":
    main(*sys.argv[1:])
