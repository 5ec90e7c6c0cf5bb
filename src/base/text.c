/* SPDX-License-Identifier: MIT */
/* text.c -- text: growing buffers, numbers, natural order, nearest names. */
#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- buffers ------------------------------------------------------------- */

static bool make_room(struct bestdag_buffer *b, size_t more)
{
    if (b->length + more + 1 <= b->room)
        return true;
    size_t room = b->room ? b->room : 64;
    while (room < b->length + more + 1)
        room *= 2;
    char *at = bestdag_realloc(b->run, b->at, room);
    if (!at)
        return false;
    b->at = at;
    b->room = room;
    return true;
}

void bestdag_buffer_add(struct bestdag_buffer *b, const char *text, size_t n)
{
    if (bestdag_run_status(b->run) || !make_room(b, n))
        return;
    if (n)
        memcpy(b->at + b->length, text, n);
    b->length += n;
    b->at[b->length] = 0;
}

void bestdag_buffer_text(struct bestdag_buffer *b, const char *text)
{
    bestdag_buffer_add(b, text, strlen(text));
}

void bestdag_buffer_format(struct bestdag_buffer *b, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    if (n >= 0 && !bestdag_run_status(b->run) && make_room(b, (size_t)n)) {
        vsnprintf(b->at + b->length, (size_t)n + 1, format, again);
        b->length += (size_t)n;
    }
    va_end(again);
    va_end(list);
}

char *bestdag_buffer_take(struct bestdag_buffer *b)
{
    bestdag_buffer_add(b, "", 0);
    char *at = b->at;
    b->at = NULL;
    b->length = b->room = 0;
    if (!bestdag_run_status(b->run))
        return at;
    bestdag_free(at);
    return NULL;
}

void bestdag_buffer_release(struct bestdag_buffer *b)
{
    bestdag_free(b->at);
    b->at = NULL;
    b->length = b->room = 0;
}

/* ---- numbers ------------------------------------------------------------- */

static locale_t plain_locale;

static void make_locale(void)
{
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double text_to_double(const char *text)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_locale);
    return plain_locale ? strtod_l(text, NULL, plain_locale)
                        : strtod(text, NULL);
}

/* What the grammar of a decimal number finds. */
struct decimal {
    uint64_t digits; /* the first 19 significant ones */
    int count;       /* of significant digits seen */
    int exponent;    /* of ten, to be applied to digits */
    bool negative;
};

static const char *take_digits(const char *p, const char *end,
                               struct decimal *d, bool fraction, int *seen)
{
    for (; p < end && *p >= '0' && *p <= '9'; p++, ++*seen) {
        if (d->count || *p != '0')
            d->count++;
        if (d->count <= 19)
            d->digits = d->digits * 10 + (uint64_t)(*p - '0');
        if (fraction == (d->count <= 19))
            d->exponent += fraction ? -1 : 1;
    }
    return p;
}

static bool take_exponent(const char *p, const char *end, struct decimal *d)
{
    bool negative = p < end && *p == '-';
    int value = 0, seen = 0;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    for (; p < end && *p >= '0' && *p <= '9'; p++, seen++)
        if (value < 100000)
            value = value * 10 + (*p - '0');
    d->exponent += negative ? -value : value;
    return seen && p == end;
}

static bool parse_decimal(const char *p, const char *end, struct decimal *d)
{
    int seen = 0;
    if (p < end && (*p == '-' || *p == '+'))
        d->negative = *p++ == '-';
    p = take_digits(p, end, d, false, &seen);
    if (p < end && *p == '.')
        p = take_digits(p + 1, end, d, true, &seen);
    if (!seen)
        return false;
    if (p < end && (*p == 'e' || *p == 'E'))
        return take_exponent(p + 1, end, d);
    return p == end;
}

/* Exact when digits and power of ten are both exact doubles (Clinger 1990). */
static bool convert_exactly(const struct decimal *d, double *to)
{
    static const double power[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->count > 19 || d->digits > (uint64_t)1 << 53 || d->exponent > 22 ||
        d->exponent < -22)
        return false;
    double x = (double)d->digits;
    x = d->exponent < 0 ? x / power[-d->exponent] : x * power[d->exponent];
    *to = d->negative ? -x : x;
    return true;
}

bool bestdag_number_parse(const char *text, size_t n, double *to)
{
    struct decimal d = {0};
    char small[128];
    if (!parse_decimal(text, text + n, &d))
        return false;
    if (convert_exactly(&d, to))
        return true;
    if (n >= sizeof small)
        return false;
    memcpy(small, text, n);
    small[n] = 0;
    *to = text_to_double(small);
    return isfinite(*to);
}

/* snprintf writes the locale's decimal sign, one or more bytes; make it a
 * point. */
static void make_point(char *text)
{
    char *c = text + strspn(text, "+-0123456789");
    if (!*c || isalpha((unsigned char)*c) || *c == '.' || *c == ' ')
        return;
    char *after = c + strcspn(c, "0123456789eE");
    *c = '.';
    memmove(c + 1, after, strlen(after) + 1);
}

int bestdag_number_format(double x, char to[BESTDAG_NUMBER_ROOM])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(to, BESTDAG_NUMBER_ROOM, "%.*g", digits, x);
        make_point(to);
        if (!isfinite(x) || text_to_double(to) == x)
            break;
    }
    return (int)strlen(to);
}

int bestdag_number_fixed(double x, char to[BESTDAG_FIXED_ROOM])
{
    char shortest[BESTDAG_NUMBER_ROOM];
    bestdag_number_format(x, shortest);
    const char *e = strchr(shortest, 'e');
    if (!e)
        return snprintf(to, BESTDAG_FIXED_ROOM, "%s", shortest);
    char digits[BESTDAG_NUMBER_ROOM];
    int count = 0, point = atoi(e + 1);
    const char *p = shortest + (*shortest == '-');
    bool before = true;
    for (; p < e; p++)
        if (*p == '.')
            before = false;
        else {
            digits[count++] = *p;
            point += before;
        }
    char *out = to;
    if (*shortest == '-')
        *out++ = '-';
    if (point <= 0) {
        out += sprintf(out, "0.");
        for (int i = point; i < 0; i++)
            *out++ = '0';
    }
    for (int i = 0; i < count || i < point; i++) {
        if (i == point && point > 0)
            *out++ = '.';
        *out++ = i < count ? digits[i] : '0';
    }
    *out = 0;
    return (int)(out - to);
}

bool bestdag_size_parse(const char *text, int64_t *bytes)
{
    static const char units[] = "kmgt";
    size_t n = strlen(text);
    double x, scale = 1;
    if (n && tolower((unsigned char)text[n - 1]) == 'b')
        n--;
    if (n && tolower((unsigned char)text[n - 1]) == 'i')
        n--;
    if (n) {
        const char *u = strchr(units, tolower((unsigned char)text[n - 1]));
        if (u && *u) {
            scale = pow(1024, (double)(u - units + 1));
            n--;
        }
    }
    if (!bestdag_number_parse(text, n, &x) || x < 0 || x * scale > 9e18)
        return false;
    *bytes = (int64_t)(x * scale);
    return true;
}

void bestdag_size_format(int64_t bytes, char to[32])
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB", "PB"};
    double x = (double)bytes;
    int u = 0;
    for (; fabs(x) >= 1024 && u < 5; u++)
        x /= 1024;
    snprintf(to, 32, u && fabs(x) < 100 ? "%.1f %s" : "%.0f %s", x, units[u]);
    make_point(to);
}

bool bestdag_duration_parse(const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    size_t n = strlen(text), u = strspn(text, "0123456789.+-eE");
    double scale = n == u ? 1 : 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(text + u, units[i].unit))
            scale = units[i].seconds;
    if (scale <= 0 || !bestdag_number_parse(text, u, seconds) || *seconds < 0)
        return false;
    *seconds *= scale;
    return true;
}

/* ---- natural order ------------------------------------------------------- */

static int compare_digits(const char **a, const char **b)
{
    const char *x = *a + strspn(*a, "0"), *y = *b + strspn(*b, "0");
    size_t n = strspn(x, "0123456789"), m = strspn(y, "0123456789");
    *a = x + n;
    *b = y + m;
    if (n != m)
        return n < m ? -1 : 1;
    return strncmp(x, y, n);
}

static int compare_chunks(const char *a, const char *b)
{
    while (*a && *b) {
        int order;
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b))
            order = compare_digits(&a, &b);
        else {
            order = (unsigned char)*a - (unsigned char)*b;
            a++;
            b++;
        }
        if (order)
            return order;
    }
    return (*a != 0) - (*b != 0);
}

int bestdag_natural_compare(const char *a, const char *b)
{
    double x, y;
    bool is_x = bestdag_number_parse(a, strlen(a), &x);
    bool is_y = bestdag_number_parse(b, strlen(b), &y);
    if (is_x != is_y)
        return is_x ? -1 : 1;
    int order = is_x ? (x > y) - (x < y) : compare_chunks(a, b);
    return order ? order : strcmp(a, b);
}

/* ---- nearest names ------------------------------------------------------- */

enum { LONGEST_NAME = 64 };

/* Edits (insert, delete, change, exchange of neighbours) from a to b, case
 * ignored; more than `most` is reported as most + 1. */
static int edits(const char *a, const char *b, int most)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int row[3][LONGEST_NAME + 1];
    if (n > LONGEST_NAME || m > LONGEST_NAME || abs(n - m) > most)
        return most + 1;
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3],
            *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]);
            int y = tolower((unsigned char)b[j - 1]);
            int least = up[j - 1] + (x != y);
            if (up[j] + 1 < least)
                least = up[j] + 1;
            if (now[j - 1] + 1 < least)
                least = now[j - 1] + 1;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]) &&
                before[j - 2] + 1 < least)
                least = before[j - 2] + 1;
            now[j] = least;
        }
    }
    return row[n % 3][m] > most ? most + 1 : row[n % 3][m];
}

const char *bestdag_nearest(const char *word, bestdag_name_fn *name,
                            const void *of, int count)
{
    size_t n = strlen(word);
    int least = n <= 3 ? 2 : n <= 6 ? 3 : 4; /* one more than we accept */
    const char *best = NULL;
    for (int i = 0; i < count; i++) {
        const char *candidate = name(of, i);
        int distance = edits(word, candidate, least - 1);
        if (distance < least) {
            least = distance;
            best = candidate;
        } else if (!best && n >= 3 && !strncmp(word, candidate, n))
            best = candidate;
    }
    return best;
}

const char *bestdag_suggest(char to[128], const char *nearest)
{
    to[0] = 0;
    if (nearest)
        snprintf(to, 128, ", did you mean '%s'?", nearest);
    return to;
}

const char *bestdag_name_of_list(const void *list, int i)
{
    return ((char *const *)list)[i];
}

size_t bestdag_utf8_valid(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t i = 0;
    while (i < n) {
        int more = s[i] < 0x80                    ? 0
                   : s[i] >= 0xc2 && s[i] <= 0xdf ? 1
                   : s[i] >= 0xe0 && s[i] <= 0xef ? 2
                   : s[i] >= 0xf0 && s[i] <= 0xf4 ? 3
                                                  : -1;
        if (more < 0 || i + (size_t)more >= n)
            return i;
        for (int k = 1; k <= more; k++)
            if ((s[i + (size_t)k] & 0xc0) != 0x80)
                return i;
        if ((s[i] == 0xe0 && s[i + 1] < 0xa0) ||
            (s[i] == 0xed && s[i + 1] > 0x9f) ||
            (s[i] == 0xf0 && s[i + 1] < 0x90) ||
            (s[i] == 0xf4 && s[i + 1] > 0x8f))
            return i;
        i += (size_t)more + 1;
    }
    return n;
}

const char *bestdag_name_nearest(const char *word, const char *const *names,
                                 int count)
{
    return bestdag_nearest(word, bestdag_name_of_list, names, count);
}
