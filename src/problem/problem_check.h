/* SPDX-License-Identifier: MIT */
/* problem_check.h -- invariants of problems and components, for asserts: is
 * everything as indexed_list.h, problem.h and component.h state? Compiled only
 * with asserts. */
#ifndef BESTDAG_PROBLEM_PROBLEM_CHECK_H
#define BESTDAG_PROBLEM_PROBLEM_CHECK_H

#include "problem/component.h"

#ifndef NDEBUG
bool bestdag_problem_is_sound(const struct bestdag_problem *problem);
bool bestdag_component_is_sound(const struct bestdag_component *component);
bool bestdag_components_is_sound(const struct bestdag_components *core);
#endif

#endif
