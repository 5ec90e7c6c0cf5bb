/* SPDX-License-Identifier: MIT */
/* projecting.h -- a second way to constrained likelihoods, for the tests:
 * spectral projected gradients (Birgin, Martinez and Raydan 2000), the method
 * of de Campos, Zeng and Ji (2009), with projections by Dykstra's alternating
 * method. Shares no code with the library. */
#ifndef BESTDAG_TESTS_PROJECTING_H
#define BESTDAG_TESTS_PROJECTING_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 64, MOST_CONSTRAINTS = 64 };

struct problem {
    int states, rows, n; /* n = states * rows */
    int limits;
    struct {
        double factor[MOST_ENTRIES], bound;
        int relation; /* -1 <=, 0 =, 1 >= */
    } limit[MOST_CONSTRAINTS];
    int balls;
    struct {
        int row;
        double centre[MOST_ENTRIES], most;
    } ball[MOST_CONSTRAINTS];
    double counts[MOST_ENTRIES];
};

static inline double objective(const struct problem *p, const double *x)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        if (p->counts[i] > 0)
            sum += x[i] > 0 ? p->counts[i] * log(x[i]) : -INFINITY;
    return sum;
}

/* How much the worst constraint is missed by. */
static inline double violation(const struct problem *p, const double *x)
{
    double worst = 0;
    for (int j = 0; j < p->rows; j++) {
        double sum = 0;
        for (int k = 0; k < p->states; k++) {
            sum += x[j * p->states + k];
            worst = fmax(worst, -x[j * p->states + k]);
        }
        worst = fmax(worst, fabs(sum - 1));
    }
    for (int i = 0; i < p->limits; i++) {
        double sum = -p->limit[i].bound;
        for (int k = 0; k < p->n; k++)
            sum += p->limit[i].factor[k] * x[k];
        worst = fmax(worst, p->limit[i].relation < 0   ? sum
                            : p->limit[i].relation > 0 ? -sum
                                                       : fabs(sum));
    }
    for (int i = 0; i < p->balls; i++) {
        double sum = -p->ball[i].most;
        for (int k = 0; k < p->states; k++)
            sum += pow(x[p->ball[i].row * p->states + k] - p->ball[i].centre[k],
                       2);
        worst = fmax(worst, sum);
    }
    return worst;
}

/* ---- projections onto single sets -----------------------------------------
 */

static inline int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static inline void project_simplex(double *x, int r)
{
    double sorted[MOST_ENTRIES], sum = 0, shift = 0;
    memcpy(sorted, x, (size_t)r * sizeof *x);
    qsort(sorted, (size_t)r, sizeof *sorted, descending);
    for (int k = 0; k < r; k++) {
        sum += sorted[k];
        if (sorted[k] - (sum - 1) / (k + 1) > 0)
            shift = (sum - 1) / (k + 1);
    }
    for (int k = 0; k < r; k++)
        x[k] = fmax(0, x[k] - shift);
}

static inline void project_limit(const struct problem *p, int i, double *x)
{
    double sum = -p->limit[i].bound, norm = 0;
    for (int k = 0; k < p->n; k++) {
        sum += p->limit[i].factor[k] * x[k];
        norm += p->limit[i].factor[k] * p->limit[i].factor[k];
    }
    if ((p->limit[i].relation < 0 && sum <= 0) ||
        (p->limit[i].relation > 0 && sum >= 0) || norm <= 0)
        return;
    for (int k = 0; k < p->n; k++)
        x[k] -= sum / norm * p->limit[i].factor[k];
}

static inline void project_ball(const struct problem *p, int i, double *x)
{
    double *row = x + p->ball[i].row * p->states, sum = 0;
    for (int k = 0; k < p->states; k++)
        sum += pow(row[k] - p->ball[i].centre[k], 2);
    if (sum <= p->ball[i].most)
        return;
    double scale = sqrt(p->ball[i].most / sum);
    for (int k = 0; k < p->states; k++)
        row[k] = p->ball[i].centre[k] + scale * (row[k] - p->ball[i].centre[k]);
}

/* Dykstra: each set in turn, with the correction that it left last time. */
static inline void project(const struct problem *p, double *x)
{
    static double correction[1 + 2 * MOST_CONSTRAINTS][MOST_ENTRIES];
    int sets = 1 + p->limits + p->balls;
    memset(correction, 0, sizeof correction);
    for (int round = 0; round < 20000; round++) {
        double change = 0;
        for (int s = 0; s < sets; s++) {
            double before[MOST_ENTRIES];
            for (int k = 0; k < p->n; k++)
                before[k] = x[k] += correction[s][k];
            if (s == 0)
                for (int j = 0; j < p->rows; j++)
                    project_simplex(x + j * p->states, p->states);
            else if (s <= p->limits)
                project_limit(p, s - 1, x);
            else
                project_ball(p, s - 1 - p->limits, x);
            for (int k = 0; k < p->n; k++) {
                double next = before[k] - x[k];
                change = fmax(change, fabs(next - correction[s][k]));
                correction[s][k] = next;
            }
        }
        if (change < 1e-13)
            return;
    }
}

/* ---- spectral projected gradients -----------------------------------------
 */

static inline void gradient_at(const struct problem *p, const double *x,
                               double *g)
{
    for (int i = 0; i < p->n; i++) /* of minus the likelihood */
        g[i] = p->counts[i] > 0 ? -p->counts[i] / x[i] : 0;
}

/* Improves the feasible point x for at most `steps` steps; the objective. */
static inline double project_gradients(const struct problem *p, double *x,
                                       int steps)
{
    enum { MEMORY = 10 };
    double g[MOST_ENTRIES], d[MOST_ENTRIES], y[MOST_ENTRIES], h[MOST_ENTRIES];
    double best[MOST_ENTRIES], past[MEMORY], value = -objective(p, x);
    double best_value = value, length = 1e-3;
    memcpy(best, x, sizeof best);
    for (int i = 0; i < MEMORY; i++)
        past[i] = value;
    gradient_at(p, x, g);
    for (int t = 0; t < steps; t++) {
        double slope = 0, size = 0, most = past[0], step = 1, next;
        double steepest = 0; /* far from the sets, projecting takes long */
        for (int i = 0; i < p->n; i++)
            steepest = fmax(steepest, fabs(g[i]));
        length = fmin(length, 1 / steepest);
        for (int i = 0; i < p->n; i++)
            d[i] = x[i] - length * g[i];
        project(p, d);
        for (int i = 0; i < p->n; i++) {
            d[i] -= x[i];
            slope += g[i] * d[i];
            size = fmax(size, fabs(d[i]));
        }
        if (size < 1e-13 || slope > -1e-14)
            break;
        for (int i = 1; i < MEMORY; i++)
            most = fmax(most, past[i]);
        for (int tries = 0;; tries++, step /= 2) {
            for (int i = 0; i < p->n; i++)
                y[i] = x[i] + step * d[i];
            next = -objective(p, y);
            if (next <= most + 1e-4 * step * slope)
                break;
            if (tries == 60) {
                memcpy(x, best, sizeof best);
                return -best_value;
            }
        }
        gradient_at(p, y, h);
        double ss = 0, sy = 0;
        for (int i = 0; i < p->n; i++) {
            double s = y[i] - x[i];
            ss += s * s;
            sy += s * (h[i] - g[i]);
        }
        length = sy > 0 ? fmin(fmax(ss / sy, 1e-10), 1e3) : 1e3;
        memcpy(x, y, sizeof y);
        memcpy(g, h, sizeof h);
        past[t % MEMORY] = value = next;
        if (value < best_value) {
            best_value = value;
            memcpy(best, x, sizeof best);
        }
    }
    memcpy(x, best, sizeof best);
    return -best_value;
}

#endif
