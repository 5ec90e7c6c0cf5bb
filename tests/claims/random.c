/* SPDX-License-Identifier: MIT */
/* random.c -- splitmix64. */
#include "claims.h"

uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int draw_below(uint64_t *state, int limit)
{
    return (int)(draw(state) % (uint64_t)limit);
}

int draw_between(uint64_t *state, int least, int most)
{
    return least + draw_below(state, most - least + 1);
}

double draw_unit(uint64_t *state)
{
    return (double)(draw(state) >> 11) / 9007199254740992.0;
}

bool draw_chance(uint64_t *state, double share)
{
    return draw_unit(state) < share;
}
