/* SPDX-License-Identifier: MIT */
/* json.c -- reads what the command prints. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

struct json {
    char *key, *text; /* text NULL: a number, an object or an array */
    double number;
    struct json *child, *next;
};

static struct json *read_value(const char **at);

static void skip(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
}

static char *read_string(const char **at)
{
    size_t length = 0, room = strlen(*at) + 1;
    char *to = malloc(room);
    for (++*at; to && **at && **at != '"'; ++*at) {
        if (**at == '\\')
            ++*at;
        to[length++] = **at;
    }
    if (to)
        to[length] = 0;
    *at += **at == '"';
    return to;
}

/* An array, or an object, whose items have keys. */
static bool read_items(const char **at, struct json *j, char end)
{
    struct json **to = &j->child;
    ++*at;
    for (skip(at); **at != end; skip(at)) {
        char *key = end == '}' ? read_string(at) : NULL;
        skip(at);
        *at += end == '}' && **at == ':';
        *to = read_value(at);
        if (!*to) {
            free(key);
            return false;
        }
        (*to)->key = key;
        to = &(*to)->next;
        skip(at);
        if (**at == ',')
            ++*at;
        else if (**at != end)
            return false;
    }
    ++*at;
    return true;
}

static bool read_plain(const char **at, struct json *j)
{
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++)
        if (!strncmp(*at, words[i], strlen(words[i]))) {
            *at += strlen(words[i]);
            j->number = i == 2 ? (double)NAN : !i;
            return true;
        }
    char *end;
    j->number = strtod(*at, &end);
    bool fine = end != *at;
    *at = end;
    return fine;
}

static struct json *read_value(const char **at)
{
    struct json *j = calloc(1, sizeof *j);
    bool fine = j != NULL;
    skip(at);
    if (fine && **at == '"')
        fine = (j->text = read_string(at)) != NULL;
    else if (fine && (**at == '{' || **at == '['))
        fine = read_items(at, j, **at == '{' ? '}' : ']');
    else if (fine)
        fine = read_plain(at, j);
    if (fine)
        return j;
    json_free(j);
    return NULL;
}

struct json *json_read(const char *text)
{
    return read_value(&text);
}

void json_free(struct json *j)
{
    while (j) {
        struct json *next = j->next;
        json_free(j->child);
        free(j->key);
        free(j->text);
        free(j);
        j = next;
    }
}

const struct json *json_get(const struct json *j, const char *key)
{
    for (j = j ? j->child : NULL; j; j = j->next)
        if (j->key && !strcmp(j->key, key))
            return j;
    return NULL;
}

const struct json *json_at(const struct json *j, int index)
{
    for (j = j ? j->child : NULL; j && index; index--)
        j = j->next;
    return j;
}

int json_count(const struct json *j)
{
    int count = 0;
    for (j = j ? j->child : NULL; j; j = j->next)
        count++;
    return count;
}

double json_number(const struct json *j)
{
    return j && !j->text && !j->child ? j->number : (double)NAN;
}

const char *json_text(const struct json *j)
{
    return j ? j->text : NULL;
}
