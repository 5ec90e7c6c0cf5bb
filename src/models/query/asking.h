/* SPDX-License-Identifier: MIT */
/* asking.h -- a query prepared for answering: targets, evidence, engine.
 *
 * Made once by bestdag_asking_init() and bestdag_asking_compile(); after that
 * several threads may use it, each with a session of its own. */
#ifndef BESTDAG_MODELS_QUERY_ASKING_H
#define BESTDAG_MODELS_QUERY_ASKING_H

#include "base/options.h"
#include "models/query/language.h"

struct bestdag_asking {
    struct bestdag_run *run;
    const struct bestdag_network *network; /* borrowed; has tables */
    const struct bestdag_options *options; /* borrowed; or NULL */
    struct bestdag_query query;            /* owns */
    struct bestdag_name_list explained;    /* owns; of --map; empty: --mpe */
    bool has_marginals, has_joint, has_explanations, is_of_all;
    int best;         /* number of explanations */
    double **weight;  /* owns; [n]: the product of the items about a variable;
                         NULL: there are none */
    int64_t exponent; /* the true weights are these times 2^exponent */
    int *doing;       /* owns; [n]: the state that do() sets; -1: none */
    int contradicted; /* a variable whose items exclude each other; -1: none */
    int *reported;    /* owns; [reports]: the variables of an explanation, those
                         of --map or all whose state the query does not give */
    int reports;
    struct bestdag_engine *engine; /* owns */
};

extern const struct bestdag_option_group bestdag_query_options;

/* Parses all texts. Must be released, also on failure. */
int bestdag_asking_init(struct bestdag_run *run, struct bestdag_asking *to,
                        const struct bestdag_network *network, const char *text,
                        const struct bestdag_options *options);
void bestdag_asking_release(struct bestdag_asking *a);
/* Compiles the engine for the variables that the query names and `count` more;
 * notes the cost (-v). */
int bestdag_asking_compile(struct bestdag_asking *a, const int *more,
                           int count);
/* A session with the query's evidence. */
struct bestdag_session *bestdag_asking_session(struct bestdag_run *run,
                                               const struct bestdag_asking *a);
/* Fails with BESTDAG_INFEASIBLE, naming a minimal impossible subset of the
 * items. The session is unusable afterwards. */
int bestdag_asking_refuse(struct bestdag_asking *a,
                          struct bestdag_session *session);

/* Numbers in the answer about targets: those of all marginals, or of the
 * joint. */
int64_t bestdag_asking_width(const struct bestdag_asking *a);

/* ---- answers ------------------------------------------------------------- */

/* The answer of one session; all arrays belong to the caller. */
struct bestdag_query_answer {
    double ln_evidence;       /* ln P(evidence); -infinity: impossible, and */
    double ln_evidence_error; /*   nothing below is set. Its standard error. */
    double *value;            /* [width] */
    double *error;            /* [width]: standard errors; NULL: not wanted */
    int *state;               /* room [best][n]; [best][reports] are used */
    double *ln_p;             /* [best]: ln P(explanation, evidence) */
    int explanations;
    double sample_size; /* effective, the smallest of all answers; 0: exact */
    const char *method;
};

/* Makes room for the answer; release also on failure. */
int bestdag_query_answer_new(struct bestdag_run *run,
                             const struct bestdag_asking *a,
                             struct bestdag_query_answer *to);
void bestdag_query_answer_release(struct bestdag_query_answer *to);
/* Answers the query by a session that has its evidence. */
int bestdag_asking_answer(struct bestdag_run *run,
                          const struct bestdag_asking *a,
                          struct bestdag_session *session,
                          struct bestdag_query_answer *to);

#endif
