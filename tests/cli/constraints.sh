#!/usr/bin/env bash
# Rules on the command line: files, arcs, mistakes with their place, rules that
# contradict each other.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ROOT"/tests/data/lighthouse.jkl* "$ROOT"/examples/lighthouse.* .

# mistakes in a file: where, what, and what was probably meant
printf '# the keeper\n\nwind -> sea\nfogg -> keeper\n' >slip.rules
for command in learn score; do
    expect 3 bestdag $command lighthouse.csv --constraints slip.rules -o x
    says err "slip.rules:4:1: unknown variable 'fogg', did you mean 'fog'?"
    one_line err
    absent x
done
expect 3 bestdag solve lighthouse.jkl --constraints slip.rules -o x.csv
says err "slip.rules:4:1: unknown variable 'fogg', did you mean 'fog'?"
absent x.csv
printf 'wind -> sea\n  wind sea\n' >bad.rules
expect 3 bestdag learn lighthouse.csv --constraints bad.rules
says err "bad.rules:2:8: expected '->', found 'sea'"
one_line err
silent out
expect 3 bestdag learn lighthouse.csv --constraints nowhere.rules
says err 'nowhere.rules'

# arcs
expect 2 bestdag learn lighthouse.csv --require fog
says err "--require: 'fog' is not two names separated by a comma"
expect 2 bestdag learn lighthouse.csv --forbid ,fog
says err "--forbid: ',fog' is not two names"
expect 2 bestdag learn lighthouse.csv --forbid '"fog,sea'
says err "is not two names"
expect 2 bestdag learn lighthouse.csv --require fog,seaa
says err "rule 'fog -> seaa': unknown variable 'seaa', did you mean 'sea'?"
expect 2 bestdag learn lighthouse.csv --forbid '"a, ""b""",sea'
says err "unknown variable 'a, \"b\"'"
expect 2 bestdag learn lighthouse.csv --forbid root,sea # a word of the language
says err "unknown variable 'root'"
expect 2 bestdag learn lighthouse.csv --forbid 'not wind,sea'
says err "unknown variable 'not wind'"

# contradictions, also between files and the command line
printf 'wind -> sea\nroot fog\n\nsea -> aground\n' >chain.rules
expect 4 bestdag learn lighthouse.csv --constraints chain.rules \
    --require aground,wind -o x.bif
says err "no network satisfies lines 1 and 4 of chain.rules and rule 'aground -> wind' together (any two of them can be satisfied)"
one_line err
absent x.bif
expect 4 bestdag score lighthouse.csv --require fog,sea --forbid fog,sea
says err "no network satisfies rule 'fog -> sea' and rule 'not fog -> sea' together (each of them can be satisfied)"
printf 'indegree(fog) > 9\n' >none.rules
expect 4 bestdag solve lighthouse.jkl --constraints none.rules
says err 'no network satisfies line 1 of none.rules'

# the languages of others
printf '/knowledge\naddtemporal\n1 wind\n2 sea\nrequiredirect\nsea wind\n' >t.txt
expect 4 bestdag solve lighthouse.jkl --constraints t.txt
says err 'no network satisfies lines 2 and 6 of t.txt together'
printf 'sea<-wind\n\nwind<-sea\n' >g.txt
expect 4 bestdag solve lighthouse.jkl --constraints g.txt
says err 'no network satisfies lines 1 and 3 of g.txt together'

# what is not taken is refused by name
printf 'wind -> sea\nancestor fog aground\n' >path.rules
expect 2 bestdag learn lighthouse.csv --constraints path.rules --solver hc
says err "the solver 'hc' does not support"
absent x.bif

lacks_arc() { # FROM,TO FILE
    holds "$2 has $1" [ "$(grep -cx "$1" "$2")" -eq 0 ]
}

# searches over candidate sets honour what concerns one child, and orders
printf 'order sea < wind\nnot fog -> sea\nwarned -> aground\n' >some.rules
for solver in os obs asobs orders dp astar bfbnb bnb; do
    expect 0 bestdag solve lighthouse.jkl --constraints some.rules \
        --solver $solver -q -O edges -o $solver.csv
    lacks_arc wind,sea "$solver.csv"
    lacks_arc fog,sea "$solver.csv"
    holds "no warned,aground" grep -qx warned,aground "$solver.csv"
done
expect 0 bestdag solve lighthouse.jkl --forbid warned,aground -q -O edges \
    -o auto.csv
lacks_arc warned,aground "auto.csv"

# bnb takes the rest, too, and auto takes bnb
printf 'adjacent wind sea\nnot ancestor fog aground\n' >rest.rules
for solver in bnb auto; do
    expect 0 bestdag solve lighthouse.jkl --constraints rest.rules \
        --solver $solver -O edges -o rest.csv
    says err 'proved optimal'
    says err 'bnb: '
    holds 'wind and sea apart' grep -qxE 'wind,sea|sea,wind' rest.csv
done
expect 2 bestdag solve lighthouse.jkl --constraints rest.rules --solver dp
says err "the solver 'dp' does not support"

# none within the sets is something else than none at all
expect 4 bestdag solve lighthouse.jkl --require wind,fog -o x.csv
says err 'no network within the candidate sets satisfies the rules, though others do'
absent x.csv

# a start that breaks rules is reported, and only its order is used
expect 0 bestdag solve lighthouse.jkl -q -o free.modelstring
expect 0 bestdag solve lighthouse.jkl --forbid warned,aground \
    --start free.modelstring -O edges -o x.csv
says err "start: it breaks rule 'not warned -> aground'; only its order is used"
lacks_arc warned,aground "x.csv"

# candidate sets under rules: few of them, and the file says so
printf 'root aground\nfor all X except aground: indegree(X) <= 2\n' >tan.rules
printf 'for all X except aground: root X or aground -> X\n' >>tan.rules
for parents in sequential greedy independence; do
    expect 0 bestdag score lighthouse.csv --constraints tan.rules \
        --parents $parents -o $parents.jkl
    says err 'complete over all parent sets that the rules allow'
    same sequential.jkl $parents.jkl
done
holds 'no rules in the sidecar' \
    grep -q '"rules": "root aground; for all X' sequential.jkl.json
expect 0 bestdag learn lighthouse.csv --constraints tan.rules -O edges \
    -o learnt.csv
says err 'proved optimal over all parent sets that the rules allow'
expect 0 bestdag solve sequential.jkl --constraints tan.rules -O edges \
    -o solved.csv
says err 'proved optimal over all parent sets that the rules allow'
same learnt.csv solved.csv
holds 'the class has parents' [ "$(grep -c ',aground$' learnt.csv)" -eq 0 ]

# under other rules a file proves less
expect 0 bestdag solve sequential.jkl
says err 'the score file was made under rules and lacks the sets that they exclude'
expect 0 bestdag solve sequential.jkl --forbid fog,horn
says err 'the score file was made under other rules'
says err 'over the candidate sets'
expect 0 bestdag solve lighthouse.jkl --forbid fog,horn
says err 'proved optimal over all parent sets that the rules allow'
expect 0 bestdag solve lighthouse.jkl --require fog,horn
says err 'proved optimal over the candidate sets'

# order rules beside another: the network obeys both
printf 'order warned < lamp < horn\nnot leaf horn\n' >lamp.rules
for bound in simple patterns cluster; do
    expect 0 bestdag learn lighthouse.csv --solver bnb --set bound=$bound --constraints lamp.rules --json
    says out '"status": "optimal"'
    says out '"score": -9067.61115'
done
# what rules hold is compelled; what is not looked at for that is counted
expect 0 bestdag learn lighthouse.csv --constraints lamp.rules -o lamp.bif
says err 'warned -> lamp          87.263  compelled'
says err 'reversibility ignores 1 rule that concerns more than arcs, tiers and orders'
expect 0 bestdag learn lighthouse.csv --constraints lamp.rules --json -q
says out '"reversible_ignores": ["not leaf horn"]'
expect 0 bestdag learn lighthouse.csv --require wind,sea --json
says err 'wind -> sea            543.597  compelled'
holds 'nothing is ignored' bash -c '! grep -q ignores out err'
expect 0 bestdag solve lighthouse.jkl --forbid sea,wind -o sea.csv
says err 'wind -> sea            543.597  compelled'
# the class of a network under rules
printf 'tiers: season | fog wind | sea\nnot leaf keeper\n' >tiers.rules
expect 0 bestdag learn lighthouse.csv -q --constraints tiers.rules -o tiers.bif
expect 0 bestdag cpdag tiers.bif
says out 'season -- fog'
expect 0 bestdag cpdag tiers.bif --constraints tiers.rules
says out 'season -> fog'
says out 'wind -> sea'
says out 'season -- lamp'
says out 'not considered: 1 rule'
expect 0 bestdag cpdag tiers.bif --constraints tiers.rules --json
says out '"reversible_ignores": ["not leaf keeper"]'
expect 0 bestdag cpdag tiers.bif --constraints tiers.rules -o class.csv
says class.csv 'season,fog,directed'
says class.csv 'season,lamp,undirected'
expect 2 bestdag cpdag tiers.bif --require lifeboat,season -o none.csv
says err "the network breaks rule 'lifeboat -> season'"
absent none.csv

# equivalence classes: arcs and orders, and nothing else
printf 'indegree(sea) >= 3\n' >three.rules
printf 'tiers: season | fog wind | sea lamp\nfog -> lamp\nnot wind -> sea\norder keeper < horn\n' >arcs.rules
for solver in espace acoe; do
    expect 0 bestdag learn lighthouse.csv --constraints arcs.rules --solver $solver -q -o arcs.csv
    says arcs.csv 'fog,lamp'
    holds "$solver: a forbidden arc" bash -c '! grep -q -e "^wind,sea" -e "^lamp,fog" arcs.csv'
    expect 2 bestdag learn lighthouse.csv --constraints three.rules --solver $solver
    says err "'$solver' supports only rules that require or forbid arcs, and orders (three.rules:1)"
    one_line err
done

# limits and rules together
expect 4 bestdag score lighthouse.csv --constraints three.rules --max-parents 2
says err "no parent set of 'sea' with at most 2 parents (max-parents) satisfies the rules"
expect 0 bestdag score lighthouse.csv --constraints path.rules
says err "'ancestor' rules: dominated parent sets of 9 variables are kept"

# who takes what
expect 0 bestdag list solvers -v
says out 'rules supported       local, order'

# rules that say nothing change nothing
printf '# nothing\n\nfor all X: indegree(X) <= 9\nstates fog: no < yes\n' >no.rules
expect 0 bestdag learn lighthouse.csv -q -o plain.bif
expect 0 bestdag learn lighthouse.csv -q --constraints no.rules -o ruled.bif
same plain.bif ruled.bif

finish
