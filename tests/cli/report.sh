#!/usr/bin/env bash
# The report of learn and solve: a whole page of HTML that loads nothing, whatever
# names there are; where it goes; strengths of arcs in summary and JSON.
# shellcheck disable=SC2016 # $BESTDAG is for the inner shell
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ROOT"/tests/data/lighthouse.jkl "$ROOT"/tests/data/lighthouse.jkl.json \
    "$ROOT"/examples/lighthouse.csv .

cat >page.py <<'END'
# page.py FILE NAME...: is FILE a whole page with these variables?
import html.parser, json, re, sys

class Page(html.parser.HTMLParser):
    VOID = {"meta", "input", "br", "img", "link", "hr"}
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.scripts, self.inside = [], set(), {}, None
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        assert not {"src", "srcset", "action", "formaction"} & set(a), (tag, a)
        assert tag not in ("link", "img", "iframe", "object", "embed"), tag
        assert a.get("href", "#").startswith("#"), a
        assert not any(k.startswith("on") for k in a), a
        if "id" in a:
            assert a["id"] not in self.ids, a
            self.ids.add(a["id"])
        if tag == "script":
            self.inside = a.get("type", "script")
        if tag not in self.VOID:
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (self.open, tag)
        self.open.pop()
        self.inside = None
    def handle_data(self, data):
        if self.inside:
            self.scripts[self.inside] = self.scripts.get(self.inside, "") + data

text = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert set(page.scripts) == {"application/json", "script"}
places = set(re.findall(r"https?://[^\s\"']*", text))
assert places <= {"http://www.w3.org/2000/svg"}, places
assert not re.search(r"@import|url\((?!#)", text)
story = json.loads(page.scripts["application/json"])
assert [n[0] for n in story["nodes"]] == sys.argv[2:], story["nodes"]
for used in re.findall(r"\$\(\"([a-z-]+)\"\)", page.scripts["script"]):
    assert used in page.ids, used
for arc in story["arcs"]:
    assert story["nodes"][arc[0]][2] < story["nodes"][arc[1]][2], arc
END
looks() { # FILE NAME...: page.py, where there is Python
    ! command -v python3 >/dev/null || expect 0 python3 page.py "$@"
}
mapfile -t nights < <(head -n 1 lighthouse.csv | tr -d '\r' | tr , '\n')

# beside the network, or alone on standard output
expect 0 bestdag learn lighthouse.csv -q -o net.bif --report net.html
silent out err
looks net.html "${nights[@]}"
says net.html 'bestdag learn lighthouse.csv -q -o net.bif --report net.html'
says net.html '<title>bestdag: lighthouse.csv</title>'
expect 0 bestdag learn lighthouse.csv -q -o again.bif
same net.bif again.bif
expect 0 bestdag learn lighthouse.csv -q -o net.bif --report -
cp out out.html
looks out.html "${nights[@]}"
expect 0 bestdag learn lighthouse.csv -q -o net.bif --report net.html.gz
holds 'a packed page' bash -c 'gzip -dc net.html.gz | grep -q "</html>"'
expect 0 bestdag solve lighthouse.jkl -q -o net.csv --report solved.html
looks solved.html "${nights[@]}"
expect 0 bestdag learn lighthouse.csv --json -q --report json.html
says out '"strengths": ['
looks json.html "${nights[@]}"

expect 0 bestdag bootstrap lighthouse.csv -R 5 -q -o net.bif --report average.html
looks average.html "${nights[@]}"
says average.html '"resamples": 5'

# what would be mixed or cannot be written is refused before the work
expect 2 bestdag learn lighthouse.csv --report -
says err 'would both go to standard output'
expect 2 bestdag learn lighthouse.csv --json --report -
expect 1 bestdag learn lighthouse.csv -o net2.bif --report nowhere/net.html
says err "cannot write 'nowhere/net.html'"
absent net2.bif
expect 2 bestdag fit lighthouse.csv net.bif --report x.html
says err "unknown option '--report'"

# names that are no names for HTML, for scripts, for shells
printf '%s\n' '</script><script>alert(1)</script>,"a&amp;<b>",<!--' \
    '</style>,<i>,1' 'x,"""y""",0' '</style>,<i>,1' 'x,"""y""",0' \
    >'it'\''s <b> & "mine".csv'
expect 0 bestdag learn 'it'\''s <b> & "mine".csv' -q -o e.bif --report e.html
looks e.html '</script><script>alert(1)</script>' 'a&amp;<b>' '<!--'
says e.html '<title>bestdag: it'\''s &lt;b&gt; &amp; &quot;mine&quot;.csv</title>'
says e.html "'it'\\\\''s \\u003cb> & "

# rules, and rows that were dropped
printf '%s\n' a,b x,0 y,1 ,1 x,0 y,1 >holes.csv
echo 'not b -> a' >my.rules
expect 0 bestdag learn holes.csv --constraints my.rules -q -o h.bif --report h.html
says h.html '"dropped": 1'
says h.html '["my.rules:1", "not b -> a", true, false, true]'

# the summary names at most ten arcs, the strongest first
expect 0 bestdag learn lighthouse.csv -o net.bif
says err 'strongest of 14 arcs, by the score lost without them:'
holds 'the strongest come first' bash -c \
    'grep -E "(compelled|reversible)$" err | awk "{ print \$4 }" >lost &&
     [ "$(wc -l <lost)" -eq 10 ] && sort -rg lost | cmp -s - lost'
expect 0 bestdag learn holes.csv -o h.bif --solver tree
says err 'arc, by the score lost without it:'

# same seed, same strengths, for any number of threads
bestdag generate --variables 30 --seed 2 -q -o g.bif
bestdag sample g.bif -n 500 --seed 1 -q -o g.csv
for j in 1 2 5; do
    bestdag learn g.csv --solver hc --set steps=2000 -q --json -j $j >raw.json
    strip raw.json >$j.json
done
same 1.json 2.json
same 1.json 5.json
finish
