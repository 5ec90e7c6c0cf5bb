# SPDX-License-Identifier: MIT
"""What the Python binding costs; see python.sh."""
import io
import time

import pandas  # noqa: F401, so that it does not count below

begin = time.perf_counter()
import bestdag  # noqa: E402

imported = time.perf_counter() - begin
from bestdag._run import Run  # noqa: E402
from bestdag._table import to_table  # noqa: E402

ROWS, COLUMNS = 100_000, 40


def least(function, times=3):
    """The least processor seconds of some runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        function()
        found.append(time.process_time() - start)
    return min(found)


def frame():
    """A third of the columns each of categories, whole numbers and text."""
    plain = bestdag.generate(variables=COLUMNS, seed=5).sample(ROWS)
    for i, name in enumerate(plain):
        if i % 3 == 1:
            plain[name] = plain[name].cat.codes.astype("int64")
        elif i % 3 == 2:
            plain[name] = plain[name].astype(str)
    return plain


def main():
    table = frame()

    def hand_over(data):
        with Run() as run:
            to_table(run, data, {})

    def through_csv():
        text = io.StringIO()
        table.to_csv(text, index=False)
        data = text.getvalue().encode()
        with Run() as run:
            run.call("table_parse", b"x.csv", data, len(data), None)

    coded = table.astype("category")
    over, codes, csv = (least(lambda: hand_over(table)), least(lambda: hand_over(coded)),
                        least(through_csv))
    whole = least(lambda: bestdag.learn(table, effort="low", threads=1), 1)
    local = bestdag.LocalScores(table)
    names = list(table)
    calls = 200
    handle = least(lambda: [local(names[0], names[1:3]) for _ in range(calls)]) / calls
    print("| what | processor seconds | against |")
    print("|---|---|---|")
    print(f"| import, beyond numpy and pandas | {imported:.3f} | |")
    print(f"| hand over {ROWS:,} x {COLUMNS}, mixed columns | {over:.3f} | "
          f"{100 * over / whole:.1f} % of learn, {csv / over:.1f} times as fast as CSV |")
    print(f"| the same, all categories | {codes:.4f} | "
          f"{csv / codes:.0f} times as fast as CSV |")
    print(f"| as CSV, written and read | {csv:.3f} | |")
    print(f"| learn, effort low, one thread | {whole:.2f} | |")
    print(f"| one local score of a handle | {1e6 * handle:.0f} us | |")


main()
