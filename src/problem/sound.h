/* SPDX-License-Identifier: MIT */
/* sound.h -- what asserts ask of problems and their pieces: is everything as
 * menu.h, problem.h and core.h say? Only where asserts are compiled in. */
#ifndef BESTDAG_PROBLEM_SOUND_H
#define BESTDAG_PROBLEM_SOUND_H

#include "problem/core.h"

#ifndef NDEBUG
bool bestdag_problem_is_sound(const struct bestdag_problem *problem);
bool bestdag_component_is_sound(const struct bestdag_component *component);
bool bestdag_core_is_sound(const struct bestdag_core *core);
#endif

#endif
