# SPDX-License-Identifier: MIT
"""Score and bound of several solvers against time, as a figure."""
import math

from charts import LEFT, RIGHT, TOP, WIDTH, number, page, text

HEIGHT = 420
# Of the axis, in per cent: nothing closer to the best score can be told from it.
LEAST, MOST = 1e-4, 100
START = 0.01  # seconds
COLOURS = {"cluster": "#d98c3f", "bnb": "#4c9a5b", "astar": "#9467bd",
           "dp": "#8a8a8a", "bfbnb": "#c0504d", "auto": "#1b6ca8"}
DECADES = int(math.log10(MOST / LEAST))


class Figure:
    """In the middle the best score; bounds come down to it, scores come up."""

    def __init__(self, courses, seconds):
        self.courses, self.end = courses, seconds
        known = [p[1] for points, _ in courses.values() for p in points
                 if p[1] is not None]
        self.best = max(known)

    def x(self, seconds):
        share = math.log(max(seconds, START) / START) / math.log(self.end / START)
        return LEFT / 2 + min(1, share) * (WIDTH - LEFT / 2 - RIGHT)

    def y(self, value):
        """Per cent above (below) the best score, on a logarithmic axis each."""
        percent = 100 * (value - self.best) / max(1, abs(self.best))
        far = math.log10(1 + min(MOST, abs(percent)) / LEAST) / DECADES
        return TOP + HEIGHT / 2 * (1 - math.copysign(far, percent))

    def axes(self):
        out, bottom = [], TOP + HEIGHT
        ticks = [START * 10**i for i in range(8) if START * 10**i <= self.end]
        for tick in ticks:
            x = self.x(tick)
            out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" '
                       'stroke="#ddd"/>')
            out.append(text(x, bottom + 14, number(tick) + " s", "middle"))
        scale = max(1, abs(self.best)) / 100
        for percent in (0.001, 0.01, 0.1, 1, 10, 100):
            for sign in (1, -1):
                y = self.y(self.best + sign * percent * scale)
                out.append(f'<line x1="{LEFT / 2}" y1="{y:.1f}" '
                           f'x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#eee"/>')
                words = f"{'+' if sign > 0 else '-'}{number(percent)} %"
                out.append(text(LEFT / 2 - 6, y + 4, words, "end"))
        y = self.y(self.best)
        out.append(f'<line x1="{LEFT / 2}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" '
                   f'y2="{y:.1f}" stroke="#888"/>')
        out.append(text(LEFT / 2 - 6, y + 4, "best", "end"))
        return out

    def line(self, solver, column):
        """A staircase: what is known holds until something better is."""
        points, _ = self.courses[solver]
        path, last = [], None
        for point in points:
            if point[column] is None:
                continue
            x, y = self.x(point[0]), self.y(point[column])
            path += [f"M{x:.1f} {y:.1f}"] if last is None else (
                [f"H{x:.1f}V{y:.1f}"] if y != last else [])
            last = y
        if last is None:
            return []
        path.append(f"H{self.x(points[-1][0]):.1f}")
        wide = 2.6 if solver == "auto" else 1.3
        return [f'<path d="{"".join(path)}" fill="none" stroke-width="{wide}" '
                f'stroke="{COLOURS[solver]}"/>']

    def end_of(self, solver):
        """A proof is a dot where the two meet."""
        points, is_proved = self.courses[solver]
        if not is_proved:
            return []
        return [f'<circle cx="{self.x(points[-1][0]):.1f}" '
                f'cy="{self.y(self.best):.1f}" r="{5 if solver == "auto" else 3.5}" '
                f'fill="{COLOURS[solver]}"/>']

    def legend(self):
        out, x = [], LEFT / 2
        for solver, (points, is_proved) in self.courses.items():
            words = solver + (f" {number(points[-1][0])} s" if is_proved else " open")
            out.append(f'<rect x="{x:.1f}" y="34" width="11" height="11" '
                       f'fill="{COLOURS[solver]}"/>')
            out.append(text(x + 16, 44, words))
            x += 30 + 6.2 * len(words)
        return out

    def draw(self, name):
        title = text(LEFT / 2, 20, f"{name}: bounds (above) and scores (below) "
                     "against seconds of one core; a dot is a proof",
                     extra=' font-weight="bold"')
        lines = [part for solver in self.courses for column in (1, 2)
                 for part in self.line(solver, column)]
        ends = [part for solver in self.courses for part in self.end_of(solver)]
        return page(TOP + HEIGHT + 24,
                    [title, *self.legend(), *self.axes(), *lines, *ends])


def draw(name, courses, seconds):
    """courses: {solver: ([[seconds, best, bound] ...], is it proved)}."""
    return Figure(courses, seconds).draw(name)
