/* SPDX-License-Identifier: MIT */
/* test_rules.c -- the readers of rules: what is understood, and where what is
 * not. */
#include "scratch.h"

#include "constraints/deduction/compile.h"
#include "constraints/language/parse.h"
#include "small_graphs.h"

static const char *const NAMES[] = {
    "sex",     "age", "region", "smoke", "diet", "blood pressure",
    "disease", "bmi", "root",   "a,b",   "5",    "a-b"};

static struct bestdag_rules *parse(struct bestdag_run *run, const char *text)
{
    struct bestdag_rules *rules = bestdag_rules_new(run);
    struct bestdag_file file = {"expert.rules", (char *)(uintptr_t)text,
                                strlen(text)};
    if (bestdag_rules_parse(run, rules, &file)) {
        bestdag_rules_free(rules);
        return NULL;
    }
    return rules;
}

/* ---- a tree back into text, to see what was understood
 * ----------------------------- */

struct out {
    char text[4000];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void say(struct out *o,
                                                      const char *format, ...)
{
    va_list list;
    va_start(list, format);
    o->length += (size_t)vsnprintf(o->text + o->length,
                                   sizeof o->text - o->length, format, list);
    va_end(list);
    assert_true(o->length < sizeof o->text);
}

static void say_words(struct out *o, const struct bestdag_rule_words *words)
{
    say(o, "(");
    for (int i = 0; i < words->count; i++)
        say(o, "%s%s%s", i ? " " : "", words->at[i].text,
            words->at[i].placeholder >= 0 ? "?" : "");
    say(o, ")");
}

static const char *sign(enum bestdag_compare compare)
{
    static const char *const signs[] = {"<", "<=", "=", ">=", ">"};
    return signs[compare];
}

static void say_literal(struct out *o, const struct bestdag_literal *l)
{
    static const char *const kinds[] = {"arc",      "root",     "leaf",
                                        "adjacent", "ancestor", "indegree"};
    say(o, " %s%s %s", l->negated ? "!" : "", kinds[l->kind], l->a.text);
    if (l->b.text)
        say(o, " %s", l->b.text);
    if (l->kind == BESTDAG_INDEGREE)
        say(o, " %s %d", sign(l->compare), l->value);
}

static void say_chance(struct out *o, const struct bestdag_probability *c)
{
    say(o, "P(%s", c->child.name.text);
    if (c->child.label.text)
        say(o, "%s%s", sign(c->child.compare), c->child.label.text);
    for (int i = 0; i < c->count; i++)
        say(o, "%s%s%s%s", i ? "," : "|", c->given[i].name.text,
            sign(c->given[i].compare), c->given[i].label.text);
    say(o, ")");
}

static void say_linear(struct out *o, const struct bestdag_linear *l)
{
    for (int i = 0; i < l->count; i++) {
        say(o, " %+g", l->term[i].factor);
        say_chance(o, &l->term[i].chance);
    }
    say(o, " %s %g", sign(l->compare), l->bound);
}

static void say_arcs(struct out *o, const struct bestdag_arcs *arcs)
{
    for (int i = 0; i < arcs->count; i++) {
        say_words(o, &arcs->at[i].from);
        say_words(o, &arcs->at[i].to);
    }
}

static void say_tiers(struct out *o, const struct bestdag_rule_tiers *tiers)
{
    for (int i = 0; i < tiers->count; i++) {
        say_words(o, &tiers->at[i].names);
        say(o, "%s%s", tiers->at[i].apart ? "*" : "",
            tiers->at[i].next ? "-" : "");
    }
}

static void say_quality(struct out *o, const struct bestdag_quality *q)
{
    say(o, "%+d", q->sign);
    for (int i = 0; i < q->parents; i++)
        say(o, " %s", q->parent[i].text);
    say(o, " > %s", q->child.text);
}

static void say_body(struct out *o, const struct bestdag_rule *r)
{
    switch (r->kind) {
    case BESTDAG_RULE_CLAUSE:
        for (int i = 0; i < r->clause.count; i++)
            say_literal(o, &r->clause.literal[i]);
        break;
    case BESTDAG_RULE_TIERS:
        say_tiers(o, &r->tiers);
        break;
    case BESTDAG_RULE_ORDER:
        say_words(o, &r->order);
        break;
    case BESTDAG_RULE_ALLOW:
    case BESTDAG_RULE_FORBID:
    case BESTDAG_RULE_REQUIRE:
        say_arcs(o, &r->arcs);
        break;
    case BESTDAG_RULE_PARENTS:
        say(o, "%s ", r->from.child.text);
        say_words(o, &r->from.names);
        break;
    case BESTDAG_RULE_STATES:
        say(o, "%s ", r->states.name.text);
        say_words(o, &r->states.labels);
        break;
    case BESTDAG_RULE_QUALITY:
        say_quality(o, &r->quality);
        break;
    case BESTDAG_RULE_LINEAR:
        for (int i = 0; i < r->linear.count; i++)
            say_linear(o, &r->linear.at[i]);
        break;
    case BESTDAG_RULE_NEAR:
        say_chance(o, &r->near.chance);
        for (int i = 0; i < r->near.count; i++)
            say(o, " %g", r->near.target[i]);
        say(o, " <= %g", r->near.bound);
        break;
    case BESTDAG_RULE_CONVEX: /* is not read */
        break;
    }
}

static const char *tree(const struct bestdag_rules *rules)
{
    static const char *const kinds[] = {
        "clause",  "tiers",  "order",   "allow",  "forbid", "require",
        "parents", "states", "quality", "linear", "near"};
    static struct out o;
    o.length = 0;
    o.text[0] = 0;
    for (int i = 0; i < rules->count; i++) {
        const struct bestdag_rule *r = &rules->rule[i];
        say(&o, "%s%s:", i ? "; " : "", kinds[r->kind]);
        if (r->each.count)
            say_words(&o, &r->each);
        if (r->except.count)
            say_words(&o, &r->except);
        say_body(&o, r);
        say(&o, "%s", r->if_present ? " ?" : "");
    }
    return o.text;
}

static void check_tree(const char *text, const char *wanted)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = parse(run, text);
    assert_fine(run);
    assert_string_equal(tree(rules), wanted);
    bestdag_rules_free(rules);
    scratch_end(run);
}

static void check_error(const char *text, const char *message)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = parse(run, text);
    if (rules)
        fail_msg("'%s' was read", text);
    if (strcmp(bestdag_run_error(run), message) != 0)
        fail_msg("of '%s': '%s', not '%s'", text, bestdag_run_error(run),
                 message);
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    scratch_end(run);
}

/* ---- the language
 * -------------------------------------------------------------------- */

static void clauses_are_read(void **state)
{
    (void)state;
    check_tree("", "");
    check_tree("# only this\n\n  \t# and this", "");
    check_tree("smoke -> disease", "clause: arc smoke disease");
    check_tree("smoke->disease", "clause: arc smoke disease");
    check_tree("not smoke -> disease # no", "clause: !arc smoke disease");
    check_tree("root a\nleaf b\r\nnot leaf c",
               "clause: root a; clause: leaf b; clause: !leaf c");
    check_tree("adjacent a b or not ancestor c d",
               "clause: adjacent a b !ancestor c d");
    check_tree("if a -> b and not c -> d then e -> f or root g",
               "clause: !arc a b arc c d arc e f root g");
    check_tree("indegree(x) < 3 or indegree( x ) <= 0 or not indegree(x)=1",
               "clause: indegree x < 3 indegree x <= 0 !indegree x = 1");
    check_tree("indegree(x)>=2 or indegree(x)>4",
               "clause: indegree x >= 2 indegree x > 4");
    check_tree("indegree -> P\nP -> near",
               "clause: arc indegree P; clause: arc P near");
}

static void names_may_be_quoted(void **state)
{
    (void)state;
    check_tree("\"blood pressure\" -> \"a,b\"",
               "clause: arc blood pressure a,b");
    check_tree("\"root\" -> \"say \"\"hi\"\"\"", "clause: arc root say \"hi\"");
    check_tree("\"a#b\" -> c#d", "clause: arc a#b c");
    check_tree("a-b -> -c-", "clause: arc a-b -c-");
    check_tree("5 -> 7", "clause: arc 5 7");
    check_tree("x/y.z_1' -> \xc3\xa4", "clause: arc x/y.z_1' \xc3\xa4");
}

static void lines_go_on(void **state)
{
    (void)state;
    check_tree("a -> b or # first\n\n   c -> d or\nroot e\nroot f",
               "clause: arc a b arc c d root e; clause: root f");
    check_tree("tiers:\n a,\n b |\n c apart |\n d e", "tiers:(a b)(c)*(d e)");
    check_tree("if a -> b and\nc -> d then\ne -> f",
               "clause: !arc a b !arc c d arc e f");
    check_tree("for all X:\nroot X", "clause:(X?) root X");
    check_tree("P(a=1) +\nP(a=2) <= 1", "linear: +1P(a=1) +1P(a=2) <= 1");
}

static void other_rules_are_read(void **state)
{
    (void)state;
    check_tree("tiers: sex age region | smoke diet apart | \"b p\", bmi",
               "tiers:(sex age region)(smoke diet)*(b p bmi)");
    check_tree("order a < b<c", "order:(a b c)");
    check_tree("allow only a -> b, c -> d", "allow:(a)(b)(c)(d)");
    check_tree("parents d in a, b c", "parents:d (a b c)");
    check_tree("states s: never < former < daily",
               "states:s (never former daily)");
    check_tree("states test: negative < positive < or < \"<5\"",
               "states:test (negative positive or <5)");
}

static void for_all_has_placeholders(void **state)
{
    (void)state;
    check_tree("for all X, Y except class: not X -> Y",
               "clause:(X? Y?)(class) !arc X Y");
    check_tree("for all X except a b, c: root X or class -> X",
               "clause:(X?)(a b c) root X arc class X");
    check_tree("for all X: parents X in a b", "parents:(X?)X (a b)");
    check_tree("for all X: allow only class -> X", "allow:(X?)(class)(X?)");
    check_tree("for all X: positive X -> d if present",
               "quality:(X?)+1 X > d ?");
}

static void parameters_are_read(void **state)
{
    (void)state;
    check_tree("positive a -> b", "quality:+1 a > b");
    check_tree("negative synergy a b -> c if present", "quality:-1 a b > c ?");
    check_tree("zero a -> b", "quality:+0 a > b");
    check_tree("P(d=yes | s=daily) >= 1.5 * P(d=yes|s=never)",
               "linear: +1P(d=yes|s=daily) -1.5P(d=yes|s=never) >= 0");
    check_tree("0.01 <= P(d=yes) <= 0.2",
               "linear: -1P(d=yes) <= -0.01 +1P(d=yes) <= 0.2");
    check_tree("- 2 P(d>=1) + 3 - P(d<=0) = 1e+1 if present",
               "linear: -2P(d>=1) -1P(d<=0) = 7 ?");
    check_tree("-2 * P(d=1|a=x,b=y) <= -1", "linear: -2P(d=1|a=x,b=y) <= -1");
    check_tree("near(P(X | a=1, b=\"x y\"), 0.2 .3, 5e-1) <= 0.01 if present",
               "near:P(X|a=1,b=x y) 0.2 0.3 0.5 <= 0.01 ?");
    check_tree("near(P(X), 1) <= 0", "near:P(X) 1 <= 0");
}

static void mistakes_are_told_where_they_are(void **state)
{
    (void)state;
    check_error("a ->", "expert.rules:1:5: expected the name of a variable, "
                        "found the end of the file");
    check_error("root a\na b\n", "expert.rules:2:3: expected '->', found 'b'");
    check_error("\n  root -> b", "expert.rules:2:8: expected the name of a "
                                 "variable, found '->'");
    check_error("a -> root", "expert.rules:1:6: expected the name of a "
                             "variable, found 'root' (if it is one: \"root\" "
                             "in quotes)");
    check_error("a -> \"b", "expert.rules:1:6: this name has no closing '\"'");
    check_error("a -> \"\"",
                "expert.rules:1:6: the name between the quotes is empty");
    check_error("a -> b c",
                "expert.rules:1:8: expected the end of the line, found 'c'");
    check_error("a -> b or", "expert.rules:1:10: expected the name of a "
                             "variable, found the end of the file");
    check_error("indegree(a) 3",
                "expert.rules:1:13: expected one of < <= = >= >, found '3'");
    check_error("indegree(a) < -1",
                "expert.rules:1:15: expected a number of parents, found '-1'");
    check_error("if a -> b or c -> d",
                "expert.rules:1:11: expected 'then', found 'or'");
    check_error("order a", "expert.rules:1:8: expected '<', found the end of "
                           "the file");
    check_error("states a: b\nroot c",
                "expert.rules:1:12: expected '<', found the end of the line");
    check_error("tiers a | b", "expert.rules:1:7: expected ':', found 'a'");
    check_error("for all X: tiers: X | a",
                "expert.rules:1:12: 'for all' cannot be combined with 'tiers'");
    check_error("for all X, X: root X", "expert.rules:1:12: 'X' is repeated");
    check_error("for all A B C D E: A -> B",
                "expert.rules:1:17: at most 4 names after 'for all'");
    check_error("root a\nroo\xff b", "expert.rules:2:4: expected a text file, "
                                     "but this byte is not UTF-8 text");
}

static void mistakes_about_parameters_are_told(void **state)
{
    (void)state;
    check_error("positive product synergy a b -> c",
                "expert.rules:1:10: product synergies are not convex and not "
                "supported; 'synergy' alone is the additive one");
    check_error("positive a -> a",
                "expert.rules:1:10: 'a' cannot be its own parent");
    check_error("zero synergy a a -> c", "expert.rules:1:16: 'a' is repeated");
    check_error("P(a=1) <= P(b=1)",
                "expert.rules:1:13: all P( ) of a rule must have the same "
                "child, here 'a' and 'b'");
    check_error("P(a=1|b=1) <= P(a=1|c=1)",
                "expert.rules:1:17: all P( ) of a rule must name the same "
                "parents after '|'");
    check_error("P(a=1|b=1,b=2) <= 1",
                "expert.rules:1:11: 'b' is repeated in this P( )");
    check_error("1 <= 2", "expert.rules:1:7: this rule has no P( )");
    check_error("P(a=1) < 2",
                "expert.rules:1:8: expected '<=', '=' or '>=', found '<'");
    check_error("1e308 + 1e308 <= P(a=1)",
                "expert.rules:1:15: the numbers are too large");
    check_error("near(P(a), 2) <= 1",
                "expert.rules:1:13: probabilities must be from 0 to 1");
    check_error("near(P(a), 1) <= -1",
                "expert.rules:1:20: a distance must not be negative");
    check_error("positive a -> b if", "expert.rules:1:19: expected 'present', "
                                      "found the end of the file");
}

/* ---- places, texts, builders
 * --------------------------------------------------------- */

static void rules_keep_their_place_and_text(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules =
        parse(run, "# one\n\n  a   -> b   # two\nc -> d or # x\"\n\n"
                   "   \"e  f\"  -> g\n");
    char place[128];
    assert_fine(run);
    assert_int_equal(bestdag_rules_count(rules), 2);
    assert_string_equal(rules->rule[0].text, "a -> b");
    assert_int_equal(rules->rule[0].line, 3);
    assert_int_equal(rules->rule[0].column, 3);
    assert_string_equal(rules->rule[1].text, "c -> d or \"e  f\" -> g");
    assert_int_equal(rules->rule[1].clause.literal[1].a.line, 6);
    assert_int_equal(rules->rule[1].clause.literal[1].a.column, 4);
    assert_string_equal(bestdag_rule_place(&rules->rule[1], place),
                        "expert.rules:4");
    bestdag_rules_free(rules);
    scratch_end(run);
}

static void a_file_with_a_mistake_adds_nothing(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    const char *path = scratch_path(folder, "x.rules");
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    scratch_write(path, "root a\nroot\n", 12);
    assert_int_equal(bestdag_rules_add(run, rules, "leaf z"), BESTDAG_OK);
    bestdag_rules_read(run, rules, path);
    assert_failed(run, BESTDAG_INPUT, "x.rules:2:5: expected the name");
    assert_int_equal(bestdag_rules_count(rules), 1);
    bestdag_rules_add(run, rules, "root");
    assert_failed(run, BESTDAG_USAGE,
                  "rule 'root': expected the name of a variable, found the end "
                  "of the rule");
    bestdag_rules_read(run, rules, "/nowhere/x.rules");
    assert_failed(run, BESTDAG_INPUT, "/nowhere/x.rules");
    bestdag_rules_add(run, rules, NULL);
    assert_failed(run, BESTDAG_USAGE, "no rule was given");
    bestdag_rules_add(run, NULL, "root a");
    assert_failed(run, BESTDAG_USAGE, "no rule set was given");
    assert_int_equal(bestdag_rules_count(NULL), 0);
    bestdag_rules_free(rules);
    scratch_end(run);
    scratch_files(folder, true);
}

/* ---- rules meet variables
 * -------------------------------------------------------------- */

static void check_meeting(const char *text, const char *message)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = parse(run, text);
    assert_fine(run);
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, rules, NAMES, COUNT(NAMES));
    assert_string_equal(bestdag_run_error(run), message);
    assert_true(!k == !!*message);
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    scratch_end(run);
}

static void names_are_looked_up(void **state)
{
    (void)state;
    check_meeting("smoke -> disease\n\"root\" -> 5", "");
    check_meeting("\nsmok -> disease", "expert.rules:2:1: unknown variable "
                                       "'smok', did you mean 'smoke'?");
    check_meeting("tiers: sex | age | smoke |\n bmi, sex",
                  "expert.rules:2:7: 'sex' is in tiers 1 and 4");
    check_meeting("tiers: sex sex | age", "");
    check_meeting("for all X except clas: root X",
                  "expert.rules:1:18: unknown variable 'clas'");
    check_meeting("for all age: root age",
                  "expert.rules:1:9: 'age' is a variable: use another name "
                  "after 'for all'");
    check_meeting("for all X, Y: root X",
                  "expert.rules:1:12: 'Y' is not used in the rule");
    check_meeting("age -> age",
                  "expert.rules:1:8: 'age' is named as both ends");
    check_meeting("for all X: age -> X",
                  "expert.rules:1:19: 'X' must not be 'age' itself here: add "
                  "'except age' after 'for all'");
    check_meeting("for all X except age: age -> X", "");
    check_meeting("states sex: a < b < a",
                  "expert.rules:1:1: state 'a' is repeated");
    check_meeting("P(bmi=1|agee=2) <= 1", "expert.rules:1:9: unknown variable "
                                          "'agee', did you mean 'age'?");
}

/* ---- Tetrad
 * ------------------------------------------------------------------------------
 */

static void knowledge_of_tetrad_is_read(void **state)
{
    (void)state;
    check_tree("/knowledge\naddtemporal\n1 A B\n2* C D\n\nforbiddirect\nA B\n\n"
               "requiredirect\nC D\n",
               "tiers:(A B)(C D)*; forbid:(A)(B); require:(C)(D)");
    check_tree("// written by hand\n/knowledge\n\naddtemporal\n\n"
               "0*-  X1 X2\n1 X3\n5 X4\n5- X5\n\n9 X6\nforbiddirect\n\n"
               "requiredirect\n",
               "tiers:(X1 X2)*-(X3)(X4 X5)-()(X6)");
    check_tree("addtemporal\n2 B\n1 A\n", "tiers:(A)(B)");
    check_tree("/knowledge\nforbiddengroup\nA B\nC\nrequiredgroup\nD\nE F\n",
               "forbid:(A B)(C); require:(D)(E F)");
    check_tree("/knowledge comma\naddtemporal\n1 a b, c\n2* \"d, e\",f g\n"
               "forbiddirect\na b, c\n",
               "tiers:(a b c)(d, e f g)*; forbid:(a b)(c)");
    check_tree("/knowledge\ntierstructure two\n1 A\n2 B\naddtemporal\n",
               "tiers:(A)(B)");
    check_tree("/knowledge\naddtemporal\nforbiddirect\nrequiredirect", "");
}

static void mistakes_of_tetrad_are_told(void **state)
{
    (void)state;
    check_error("/knowledge\nA B", "expert.rules:2:1: expected addtemporal, "
                                   "forbiddirect, requiredirect, "
                                   "forbiddengroup, requiredgroup or "
                                   "tierstructure");
    check_error("/knowledge\nforbiddirect\n  A B C",
                "expert.rules:3:3: expected two names, from and to");
    check_error("/knowledge\nrequiredgroup\nA\nforbiddirect",
                "expert.rules:4:1: a group needs two lines, from and to");
    check_error("/knowledge\naddtemporal\none A",
                "expert.rules:3:1: expected the number of a tier, optionally "
                "with '*' or '-', and names");
    check_error("/knowledge\naddtemporal\n1x A",
                "expert.rules:3:1: expected the number of a tier, optionally "
                "with '*' or '-', and names");
    check_error("/knowledge\naddtemporal\n99999999999999999999 A",
                "expert.rules:3:1: expected the number of a tier, optionally "
                "with '*' or '-', and names");
}

static void periods_of_tetrad_are_blanks(void **state)
{
    (void)state;
    check_meeting("/knowledge\nforbiddirect\nblood.pressure bmi", "");
    check_meeting("/knowledge comma\nforbiddirect\nblood pressure, bmi", "");
    check_meeting("/knowledge comma\nforbiddirect\nblood.pressure, bmi",
                  "expert.rules:3:1: unknown variable 'blood.pressure', did "
                  "you mean 'blood pressure'?");
}

/* Tier i with "-" reaches tier i + 1, and itself. */
static void the_next_tier_only(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules =
        parse(run, "/knowledge\naddtemporal\n1- sex\n2- age\n3 smoke\n4 bmi\n");
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, rules, NAMES, COUNT(NAMES));
    assert_fine(run);
    static const struct {
        int from, to;
        bool allowed;
    } arcs[] = {{0, 1, true},  {0, 3, false}, {0, 7, false}, {1, 3, true},
                {1, 7, false}, {3, 7, true},  {7, 3, false}, {1, 0, false},
                {4, 0, true},  {7, 4, true}};
    for (int i = 0; i < COUNT(arcs); i++)
        assert_int_equal(bestdag_knowledge_allows(k, arcs[i].to, arcs[i].from),
                         arcs[i].allowed);
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    scratch_end(run);
}

/* ---- GOBNILP
 * -----------------------------------------------------------------------------
 */

static void constraints_of_gobnilp_are_read(void **state)
{
    (void)state;
    check_tree("# first\nx-y\n~x-y\nx<-y\n~x<-y\n",
               "clause: adjacent x y; clause: !adjacent x y; clause: arc y x; "
               "clause: !arc y x");
    check_tree("x<--y\n~x<--y\n",
               "clause: ancestor y x; clause: !ancestor y x");
    check_tree("x->z<-y", "clause: arc x z; clause: arc y z; clause: !adjacent "
                          "x y");
    check_tree("~x->z<-y", "clause: !arc x z !arc y z adjacent x y");
    check_tree("x<y\nsinkz\nsink w", "order:(x y); clause: leaf z; clause: "
                                     "leaf w");
}

static void traps_of_gobnilp_are_no_traps(void **state)
{
    (void)state;
    /* a blank line does not end the file; blanks around signs are taken */
    check_tree("x<-y\n\n  \n~ a <- b \n", "clause: arc y x; clause: !arc b a");
    /* a name with a hyphen, where another sign decides */
    check_tree("a-b<-c", "clause: arc c a-b");
    check_error("x<-y\na-b-c",
                "expert.rules:2:1: expected a GOBNILP constraint, like the "
                "first line of this file: x-y, x<-y, x<--y, x->z<-y, each "
                "optionally after '~', or x<y or sink x");
    /* what is not understood is reported, independence by name */
    check_error("x<-y\nA_|_B|C", "expert.rules:2:1: independence 'A_|_B|C' is "
                                 "not a rule that bestdag supports");
    check_error("3rd_|_B", "expert.rules:1:1: independence '3rd_|_B' is not a "
                           "rule that bestdag supports");
    /* rules of our own are not taken for its lines */
    check_tree("order a-b < c", "order:(a-b c)");
    check_tree("indegree(a-b)<3", "clause: indegree a-b < 3");
    check_tree("tiers:a-b|c", "tiers:(a-b)(c)");
    check_tree("a-b -> c-d", "clause: arc a-b c-d");
}

/* ---- hostile
 * -----------------------------------------------------------------------------
 */

static void long_rules_are_read_in_little_time(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    struct bestdag_run *run = bestdag_run_new();
    char *text = malloc(MANY * 12 + 10), *to = text;
    to += sprintf(to, "a -> b");
    for (int i = 0; i < MANY; i++)
        to += sprintf(to, "%s", " or\na -> b");
    struct bestdag_rules *rules = parse(run, text);
    assert_fine(run);
    assert_int_equal(rules->rule[0].clause.count, MANY + 1);
    bestdag_rules_free(rules);
    free(text);
    scratch_end(run);
}

static bool read_all(struct bestdag_run *run, const void *input)
{
    struct bestdag_rules *rules = bestdag_rules_new(run);
    const char *text = input;
    struct bestdag_file file = {"x", (char *)(uintptr_t)text, strlen(text)};
    if (rules)
        bestdag_rules_parse(run, rules, &file);
    bestdag_rules_free(rules);
    return !bestdag_run_status(run);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    survives_failing_allocations(
        read_all, "tiers: a | b\nfor all X except a: root X or a -> X\n"
                  "states s: x < y\n0.1 <= P(a=1|b=2) <= 0.3\n"
                  "near(P(a), 0.1 0.9) <= 1\nallow only a -> b\n");
    survives_failing_allocations(
        read_all, "/knowledge\naddtemporal\n1 A\n1 B\nforbiddirect\nA B\n"
                  "requiredgroup\nA\nB\n");
    survives_failing_allocations(read_all, "x->z<-y\nx<y\n~x-y\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clauses_are_read),
        cmocka_unit_test(names_may_be_quoted),
        cmocka_unit_test(lines_go_on),
        cmocka_unit_test(other_rules_are_read),
        cmocka_unit_test(for_all_has_placeholders),
        cmocka_unit_test(parameters_are_read),
        cmocka_unit_test(mistakes_are_told_where_they_are),
        cmocka_unit_test(mistakes_about_parameters_are_told),
        cmocka_unit_test(rules_keep_their_place_and_text),
        cmocka_unit_test(a_file_with_a_mistake_adds_nothing),
        cmocka_unit_test(names_are_looked_up),
        cmocka_unit_test(knowledge_of_tetrad_is_read),
        cmocka_unit_test(mistakes_of_tetrad_are_told),
        cmocka_unit_test(periods_of_tetrad_are_blanks),
        cmocka_unit_test(the_next_tier_only),
        cmocka_unit_test(constraints_of_gobnilp_are_read),
        cmocka_unit_test(traps_of_gobnilp_are_no_traps),
        cmocka_unit_test(long_rules_are_read_in_little_time),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
