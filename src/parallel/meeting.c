/* SPDX-License-Identifier: MIT */
/* meeting.c -- where the ranks of a run wait for each other.
 *
 * A rank that arrives greets rank 0 and waits; rank 0 answers when all have
 * greeted. Cost: two letters per rank and meeting. Who waits sleeps between two
 * looks at the mail, because a wait inside MPI would take a core. */
#include "parallel/meeting.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/coroutine.h"
#include "base/random.h"

enum { SHORT = 50, LONG = 1000 }; /* microseconds between two looks */

struct meeting {
    struct bestdag_run *run;
    struct bestdag_team *team;
    uint64_t digest;
    bool decision; /* own, then that of rank 0 */
    bool is_over, met;
};

uint64_t bestdag_meeting_hash(const char *text)
{
    uint64_t hash = 0;
    for (; *text; text++)
        hash = bestdag_mix(hash ^ (uint8_t)*text);
    return hash;
}

static struct bestdag_run *outermost(struct bestdag_run *run)
{
    while (run->outer)
        run = run->outer;
    return run;
}

/* ---- letters ----------------------------------------------------------------
 */

void bestdag_team_call(struct bestdag_run *run, void (*call)(void *),
                       void *argument)
{
    if (run->inside)
        bestdag_coroutine_ask(run->inside, call, argument);
    else
        call(argument);
}

int bestdag_team_send(struct bestdag_run *run, int to,
                      const struct bestdag_letter *letter)
{
    struct bestdag_team *team = run->team;
    team->letters++;
    team->bytes += letter->size + (int64_t)sizeof *letter;
    return team->by->send(team->wire, run, to, letter);
}

void bestdag_team_send_all(struct bestdag_run *run,
                           const struct bestdag_letter *letter)
{
    for (int i = 0; i < run->team->ranks; i++)
        if (i != run->team->rank)
            bestdag_team_send(run, i, letter);
}

bool bestdag_team_receive(struct bestdag_run *run, struct bestdag_letter *to)
{
    struct bestdag_team *team = run->team;
    if (!team->by->receive(team->wire, run, to))
        return false;
    if (to->kind == BESTDAG_LETTER_BYE) {
        team->gone++;
        team->code = to->from ? team->code : (int)to->number[0];
    }
    return true;
}

void bestdag_team_bytes(struct bestdag_run *run, void *bytes, int64_t size)
{
    struct bestdag_team *team = run->team;
    if (!team->rank) {
        team->letters++;
        team->bytes += size * (team->ranks - 1);
    }
    team->by->share(team->wire, bytes, size);
}

void bestdag_team_end(struct bestdag_run *run, int64_t ending)
{
    if (ending == BESTDAG_TIMED_OUT)
        bestdag_run_expire(run);
    else if (ending == BESTDAG_INTERRUPTED &&
             bestdag_run_ending(run) == BESTDAG_ENDED)
        bestdag_run_stop(run);
}

/* What is wrong with the input, every rank would say alike. */
void bestdag_team_fail(struct bestdag_run *run, int from, int64_t status,
                       const struct bestdag_letter *letter)
{
    bool is_own =
        status == BESTDAG_FAILED || status == BESTDAG_MEMORY || !letter->size;
    if (!is_own || run->team->rank)
        bestdag_fail(run, (int)status, "%.*s", (int)letter->size,
                     letter->size ? letter->bytes : "");
    else
        bestdag_fail(run, (int)status, "rank %d: %.*s", from, (int)letter->size,
                     letter->size ? letter->bytes : "failed");
}

static void nap(int microseconds)
{
    struct timespec time = {.tv_nsec = microseconds * 1000L};
    nanosleep(&time, NULL);
}

/* ---- going separate ways
 * -----------------------------------------------------
 */

static void dissolve(struct bestdag_run *run)
{
    const struct bestdag_letter leave = {.kind = BESTDAG_LETTER_LEAVE};
    if (run->team->is_alone)
        return;
    bestdag_team_send_all(run, &leave);
    run->team->is_alone = true;
    run->team->has_parted = bestdag_run_ending(outermost(run)) == BESTDAG_ENDED;
}

/* Another rank than 0: there is nothing left to do. */
static void give_in(struct bestdag_run *run)
{
    run->team->is_alone = true;
    bestdag_run_stop(outermost(run));
}

/* Rank 0: what has arrived. */
static void open_mail(struct bestdag_run *run)
{
    struct bestdag_team *team = run->team;
    struct bestdag_letter letter;
    while (!team->is_alone && bestdag_team_receive(run, &letter)) {
        if (letter.kind == BESTDAG_LETTER_HELLO) {
            bestdag_free(team->greeting[letter.from].bytes);
            team->greeting[letter.from] = letter;
            continue;
        }
        if (letter.kind == BESTDAG_LETTER_BYE && letter.number[0] &&
            letter.size)
            bestdag_team_fail(run, letter.from, letter.number[0], &letter);
        if (letter.kind == BESTDAG_LETTER_BYE)
            dissolve(run);
        /* else: of work that is over, such as a question for more */
        bestdag_free(letter.bytes);
    }
}

static void look(void *argument)
{
    struct bestdag_run *run = argument;
    struct bestdag_team *team = run->team;
    struct bestdag_letter letter;
    if (!team->rank) {
        open_mail(run);
        for (int i = 1; i < team->ranks; i++)
            if (team->greeting[i].kind && team->greeting[i].number[2] &&
                team->greeting[i].number[3] < 0) /* its whole run */
                bestdag_team_end(outermost(run), team->greeting[i].number[2]);
    } else if (bestdag_team_receive(run, &letter)) {
        bestdag_free(letter.bytes);
        give_in(run);
    }
}

static void look_on_caller(struct bestdag_run *run)
{
    bestdag_team_call(run, look, run);
}

/* ---- rank 0
 * ------------------------------------------------------------------
 */

static bool all_are_here(const struct bestdag_team *team)
{
    for (int i = 1; i < team->ranks; i++)
        if (!team->greeting[i].kind)
            return false;
    return true;
}

static bool is_same(const struct meeting *m, const struct bestdag_letter *hello)
{
    return hello->number[0] == m->team->meetings &&
           hello->number[1] == (int64_t)m->digest;
}

/* All have greeted: what is agreed on goes to all. */
static void begin(struct meeting *m)
{
    struct bestdag_run *run = m->run;
    for (int i = 1; i < m->team->ranks; i++) {
        struct bestdag_letter *hello = &m->team->greeting[i];
        int64_t status = hello->number[3];
        if (status > 0) /* unless rank 0 has failed, too */
            bestdag_fail(run, (int)status, "rank %d: %.*s", i, (int)hello->size,
                         hello->size ? hello->bytes : "");
        else
            bestdag_team_end(run, hello->number[2]);
        bestdag_free(hello->bytes);
        *hello = (struct bestdag_letter){0};
    }
    const char *error = bestdag_run_error(run);
    struct bestdag_letter start = {
        .kind = BESTDAG_LETTER_START,
        .number = {bestdag_run_status(run) ? 0 : bestdag_run_ending(run),
                   bestdag_run_status(run), m->decision},
        .bytes = (char *)error,
        .size = (int64_t)strlen(error)};
    bestdag_team_send_all(run, &start);
    m->is_over = m->met = true;
}

static void lead(void *argument)
{
    struct meeting *m = argument;
    bool goes_on = bestdag_run_ending(outermost(m->run)) == BESTDAG_ENDED ||
                   bestdag_run_status(m->run);
    open_mail(m->run);
    for (int i = 1; i < m->team->ranks && !m->team->is_alone; i++)
        if (m->team->greeting[i].kind && !is_same(m, &m->team->greeting[i]))
            dissolve(m->run);
    if (!goes_on)
        dissolve(m->run);
    if (m->team->is_alone)
        m->is_over = true;
    else if (all_are_here(m->team))
        begin(m);
}

/* ---- the others
 * --------------------------------------------------------------
 */

/* status: that of a failure; -1: the whole run is stopped; 0: neither. */
static void greet(void *argument)
{
    struct meeting *m = argument;
    const char *error = bestdag_run_error(m->run);
    int64_t status = bestdag_run_status(m->run);
    int64_t ending = status ? 0 : bestdag_run_ending(m->run);
    if (!status && bestdag_run_ending(outermost(m->run)) != BESTDAG_ENDED)
        status = -1;
    struct bestdag_letter hello = {
        .kind = BESTDAG_LETTER_HELLO,
        .number = {m->team->meetings, (int64_t)m->digest, ending, status},
        .bytes = (char *)error,
        .size = (int64_t)strlen(error)};
    bestdag_team_send(m->run, 0, &hello);
}

static void follow(void *argument)
{
    struct meeting *m = argument;
    struct bestdag_letter letter;
    if (!bestdag_team_receive(m->run, &letter))
        return;
    m->is_over = true;
    if (letter.kind == BESTDAG_LETTER_START) {
        m->met = true;
        m->decision = letter.number[2];
        if (letter.number[1])
            bestdag_team_fail(m->run, 0, letter.number[1], &letter);
        else
            bestdag_team_end(m->run, letter.number[0]);
    } else
        give_in(m->run);
    bestdag_free(letter.bytes);
}

/* ---- meetings
 * ----------------------------------------------------------------
 */

static bool meet(struct bestdag_run *run, uint64_t digest, bool *decision)
{
    struct bestdag_team *team = bestdag_team_of(run);
    if (!team)
        return false;
    struct meeting m = {
        .run = run, .team = team, .digest = digest, .decision = *decision};
    double begun = bestdag_seconds();
    team->is_busy = true;
    team->meetings++;
    if (team->rank)
        bestdag_team_call(run, greet, &m);
    for (int wait = SHORT;; wait = wait < LONG ? wait + wait / 4 : LONG) {
        bestdag_team_call(run, team->rank ? follow : lead, &m);
        if (m.is_over)
            break;
        bestdag_run_watch(run, run->now.done);
        nap(wait);
    }
    team->is_busy = false;
    team->waited += bestdag_seconds() - begun;
    *decision = m.met ? m.decision : *decision;
    return m.met;
}

bool bestdag_meet(struct bestdag_run *run, uint64_t digest)
{
    bool nothing = false;
    return meet(run, digest, &nothing);
}

bool bestdag_meet_decide(struct bestdag_run *run, uint64_t digest, bool own)
{
    meet(run, digest, &own);
    return own;
}

struct sharing {
    struct bestdag_run *run;
    struct bestdag_buffer *b;
};

static void share(void *argument)
{
    struct sharing *s = argument;
    int64_t size = (int64_t)s->b->length;
    bestdag_team_bytes(s->run, &size, sizeof size);
    if (s->run->team->rank) {
        s->b->length = 0;
        if (!bestdag_buffer_reserve(s->b, (size_t)size)) {
            /* the others wait: it must be taken all the same */
            char *rest = malloc((size_t)size + 1);
            if (rest)
                bestdag_team_bytes(s->run, rest, size);
            free(rest);
            return;
        }
        s->b->length = (size_t)size;
    }
    if (size)
        bestdag_team_bytes(s->run, s->b->at, size);
}

bool bestdag_meet_bytes(struct bestdag_run *run, uint64_t digest,
                        struct bestdag_buffer *b)
{
    struct sharing s = {run, b};
    if (!bestdag_meet(run, digest) || bestdag_run_status(run))
        return false;
    bestdag_team_call(run, share, &s);
    return !bestdag_run_status(run);
}

bool bestdag_meet_share(struct bestdag_run *run, uint64_t digest,
                        bestdag_pass_fn *pass, void *state)
{
    struct bestdag_buffer b = {.run = run};
    struct bestdag_team *team = bestdag_team_of(run);
    if (!team)
        return false;
    if (!team->rank) {
        struct bestdag_parcel out = {.to = &b};
        pass(state, &out);
    }
    bool is_here = bestdag_meet_bytes(run, digest, &b);
    if (is_here && team->rank) {
        struct bestdag_parcel in = {
            .opens = true, .from = b.at, .left = (int64_t)b.length};
        pass(state, &in);
        if (in.is_bad && !bestdag_run_status(run))
            bestdag_fail(run, BESTDAG_FAILED,
                         "what rank 0 sent cannot be read");
    }
    bestdag_buffer_release(&b);
    return is_here && !bestdag_run_status(run);
}

static void pass_number(void *state, struct bestdag_parcel *p)
{
    double *number = state;
    BESTDAG_PASS(p, *number);
}

double bestdag_meet_number(struct bestdag_run *run, uint64_t digest, double own)
{
    double number = own;
    return bestdag_meet_share(run, digest, pass_number, &number) ? number : own;
}

struct summing {
    struct bestdag_run *run;
    int64_t *number, count;
};

static void sum(void *argument)
{
    struct summing *s = argument;
    struct bestdag_team *team = s->run->team;
    team->letters++;
    team->bytes += 2 * s->count * (int64_t)sizeof *s->number;
    team->by->sum(team->wire, s->number, s->count);
}

bool bestdag_meet_sum(struct bestdag_run *run, uint64_t digest, int64_t *number,
                      int64_t count)
{
    struct summing s = {run, number, count};
    if (!bestdag_meet(run, digest) || bestdag_run_status(run))
        return false;
    bestdag_team_call(run, sum, &s);
    return true;
}

static void pass_mark(void *state, struct bestdag_parcel *p)
{
    uint64_t *mark = state;
    BESTDAG_PASS(p, *mark);
}

int bestdag_meet_agree(struct bestdag_run *run, uint64_t mark, const char *what)
{
    const uint64_t kind = bestdag_meeting_hash("agree");
    uint64_t leading = mark;
    if (!bestdag_team_of(run))
        return bestdag_run_status(run);
    if (bestdag_meet_share(run, kind, pass_mark, &leading) && leading != mark)
        bestdag_fail(run, BESTDAG_INPUT,
                     "%s: this is another than that of rank 0", what);
    bestdag_meet(run, kind + 1);
    return bestdag_run_status(run);
}

/* ---- joining and leaving
 * -----------------------------------------------------
 */

bool bestdag_team_join(struct bestdag_run *run, struct bestdag_team draft)
{
    struct bestdag_team *team = bestdag_calloc(run, 1, sizeof *team);
    struct bestdag_letter *greeting =
        bestdag_calloc(run, (size_t)draft.ranks, sizeof *greeting);
    if (!team || !greeting || run->team || run->outer) {
        bestdag_free(team);
        bestdag_free(greeting);
        draft.by->close(draft.wire);
        bestdag_fail(run, BESTDAG_USAGE, "the run has ranks already");
        return false;
    }
    *team = draft;
    team->greeting = greeting;
    team->look = look_on_caller;
    team->share = bestdag_meet_bytes;
    run->team = team;
    return true;
}

/* Rank 0 waits for the last letter of every other, and these for its. */
int bestdag_team_leave(struct bestdag_run *run, int code)
{
    struct bestdag_team *team = run->team;
    if (!team || team->ranks < 2)
        return code;
    const char *error = bestdag_run_error(run);
    if (team->has_parted && !bestdag_run_status(run))
        bestdag_note(run, 1,
                     "ranks: the clock has parted them; rank 0 has "
                     "worked alone since");
    bestdag_note(run, 1,
                 "ranks: %d; rank 0 has sent %lld messages, %lld bytes, and "
                 "has waited %.3f s",
                 team->ranks, (long long)team->letters, (long long)team->bytes,
                 team->waited);
    struct bestdag_letter letter, bye = {.kind = BESTDAG_LETTER_BYE,
                                         .number = {code},
                                         .bytes = (char *)error,
                                         .size = (int64_t)strlen(error)};
    if (team->rank)
        bestdag_team_send(run, 0, &bye);
    else
        bestdag_team_send_all(run, &bye);
    team->is_alone = true;
    for (int all = team->rank ? 1 : team->ranks - 1; team->gone < all;
         nap(SHORT))
        while (bestdag_team_receive(run, &letter))
            bestdag_free(letter.bytes);
    return team->rank ? team->code : code;
}
