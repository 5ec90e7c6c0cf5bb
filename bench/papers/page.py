# SPDX-License-Identifier: MIT
"""Pages in Markdown, and figures as SVG."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from charts import COLOURS, page, text  # noqa: E402

LINES = COLOURS + ("#4c9a5b", "#9467bd", "#c0504d", "#17a2b8")
RIGHT = 150  # for the names of the lines

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 330, 80, 40, 40


def shown(value, digits=None):
    """A cell as people read it: '-' if it is not known."""
    if value is None:
        return "-"
    if isinstance(value, float):
        if digits is not None:
            return f"{value:,.{digits}f}"
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def printed(value):
    """A paper's number, with all its digits."""
    return f"{value:,}" if isinstance(value, (int, float)) else shown(value)


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(shown(c) for c in row) + " |" for row in rows]
    return "\n".join(lines)


def ticks(low, high, log):
    if log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0 ** e for e in range(first, last + 1) if low <= 10.0 ** e <= high]
    step = 10 ** math.floor(math.log10((high - low) / 3 or 1))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= 6:
            step *= factor
            break
    value, found = math.ceil(low / step) * step, []
    while value <= high + 1e-9 * step:
        found.append(value)
        value += step
    return found


def chart(path, title, series, x_title, y_title, log_x=False, log_y=False, dots=False):
    """series: {name: [(x, y), ...]}; nothing is drawn if there is no point."""
    points = [p for ps in series.values() for p in ps]
    if not points:
        return False
    bounds = []
    for axis, log in ((0, log_x), (1, log_y)):
        values = [p[axis] for p in points]
        low, high = min(values), max(values)
        if high == low:
            low, high = (low / 2, high * 2) if log else (low - 1, high + 1)
        bounds.append((low, high))

    def place(value, bound, log, start, length):
        low, high = bound
        if log:
            value, low, high = (math.log(v) for v in (value, low, high))
        return start + length * (value - low) / (high - low)

    def at(p):
        return (place(p[0], bounds[0], log_x, LEFT, WIDTH - LEFT - RIGHT),
                place(p[1], bounds[1], log_y, HEIGHT - BOTTOM,
                      TOP + BOTTOM - HEIGHT))

    body = [text(LEFT, 22, title, extra=' font-size="13"')]
    for value in ticks(*bounds[0], log_x):
        x, _ = at((value, bounds[1][0]))
        body.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        body.append(text(x, HEIGHT - BOTTOM + 14, f"{value:g}", "middle"))
    for value in ticks(*bounds[1], log_y):
        _, y = at((bounds[0][0], value))
        body.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        body.append(text(LEFT - 6, y + 4, f"{value:g}", "end"))
    body.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, x_title, "middle"))
    body.append(text(LEFT - 6, TOP - 8, y_title, "end"))
    for i, (name, ps) in enumerate(series.items()):
        colour = LINES[i % len(LINES)]
        spots = [at(p) for p in ps]
        if dots:
            each = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in spots)
            body.append(f'<path d="{each}" stroke="{colour}" stroke-width="3.2" '
                        'stroke-linecap="round"/>')
        elif spots:
            line = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
            body.append(f'<path d="M{line}" fill="none" stroke="{colour}" '
                        'stroke-width="1.6"/>')
        body.append(text(WIDTH - RIGHT + 8, TOP + 14 + 16 * i, name,
                         extra=f' style="fill:{colour}"'))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(page(HEIGHT, body))
    return True
