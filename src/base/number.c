/* SPDX-License-Identifier: MIT */
/* number.c -- decimal numbers, sizes and durations as text, the same in every
 * locale.
 *
 * Reading is exact: by one division or product where both operands are exact
 * (Clinger 1990), else by the C library. Writing finds the shortest decimal
 * that reads back; for usual magnitudes in 128-bit integers, else by trying 15,
 * 16 and 17 digits. */
#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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

/* What the grammar of a decimal number finds: +-0.d1d2d3... times ten to the
 * power of `point`, d1 not 0. */
struct decimal {
    const char *first; /* d1, in the text; NULL: the number is 0 */
    uint64_t head;     /* d1 .. d19, as an integer */
    int64_t count;     /* digits from d1 on */
    int64_t point;
    bool negative;
};

enum { HEAD = 19, FARTHEST = 1000000 };

static const char *take_digits(const char *p, const char *end,
                               struct decimal *d, bool fraction)
{
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        if (!d->first && *p != '0')
            d->first = p;
        if (d->first && d->count++ < HEAD)
            d->head = d->head * 10 + (uint64_t)(*p - '0');
        if (fraction ? !d->first : d->first != NULL)
            d->point += fraction ? -1 : 1;
    }
    return p;
}

static bool take_exponent(const char *p, const char *end, struct decimal *d)
{
    bool negative = p < end && *p == '-';
    int64_t value = 0, seen = 0;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    for (; p < end && *p >= '0' && *p <= '9'; p++, seen++)
        if (value < INT64_MAX / 100)
            value = value * 10 + (*p - '0');
    d->point += negative ? -value : value;
    return seen && p == end;
}

static bool parse_decimal(const char *p, const char *end, struct decimal *d)
{
    if (p < end && (*p == '-' || *p == '+'))
        d->negative = *p++ == '-';
    const char *whole = p;
    p = take_digits(p, end, d, false);
    int64_t seen = p - whole;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = take_digits(p, end, d, true);
        seen += p - fraction;
    }
    if (!seen)
        return false;
    if (p < end && (*p == 'e' || *p == 'E'))
        return take_exponent(p + 1, end, d);
    return p == end;
}

static const double power_of_ten[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Exact when digits and power of ten are both exact doubles (Clinger 1990). */
static bool convert_exactly(const struct decimal *d, double *to)
{
    int64_t exponent = d->first ? d->point - d->count : 0;
    if (d->count > HEAD || d->head > (uint64_t)1 << 53 || exponent > 22 ||
        exponent < -22)
        return false;
    double x = (double)d->head;
    x = exponent < 0 ? x / power_of_ten[-exponent] : x * power_of_ten[exponent];
    *to = d->negative ? -x : x;
    return true;
}

/* Any length: no double and no middle of two has more than 767 significant
 * digits, so what follows 800 matters only by being there or not. */
static double convert_slowly(const struct decimal *d, const char *end)
{
    enum { KEPT = 800 };
    char text[KEPT + 32], *to = text;
    *to++ = d->negative ? '-' : '+';
    *to++ = '.';
    int64_t seen = 0;
    for (const char *p = d->first; seen < d->count && p < end; p++)
        if (*p != '.') {
            if (seen < KEPT)
                *to++ = *p;
            else if (*p != '0') {
                *to++ = '1';
                break;
            }
            seen++;
        }
    int64_t point = d->point < -FARTHEST  ? -FARTHEST
                    : d->point > FARTHEST ? FARTHEST
                                          : d->point;
    sprintf(to, "e%d", (int)point);
    return text_to_double(text);
}

bool bestdag_number_parse(const char *text, size_t n, double *to)
{
    struct decimal d = {0};
    if (!parse_decimal(text, text + n, &d))
        return false;
    if (!convert_exactly(&d, to))
        *to = convert_slowly(&d, text + n);
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

/* digits / 10^places */
struct shortest {
    uint64_t digits;
    int places;
};

__extension__ typedef unsigned __int128 wide;

/* The nearest decimal of `places` digits after the point to f / 2^s, if it
 * reads back as f / 2^s: if it is at most half a step of the last bit away. All
 * in integers, hence exact. */
static bool round_to(uint64_t f, int s, int places, uint64_t *to)
{
    wide one = (wide)power_of_ten[places], scaled = f * one;
    wide below = scaled >> s, rest = scaled - (below << s);
    wide half = (wide)1 << (s - 1);
    bool up = rest > half || (rest == half && (below & 1));
    *to = (uint64_t)below + up;
    if (up)
        return 2 * ((half << 1) - rest) < one;
    return (f == (uint64_t)1 << 52 ? 4 : 2) * rest < one;
}

/* 15 to 17 digits for 1e-4 <= x < 1e15, where all products stay below 2^127.
 * Two decimals of 15 digits never read as the same double there, so the first
 * that reads back is the shortest. */
static struct shortest shorten(double x)
{
    int exponent, before = -3; /* digits before the point; x < 10^before */
    uint64_t f = (uint64_t)ldexp(frexp(x, &exponent), 53);
    while (before <= 0 ? x >= 1 / power_of_ten[-before]
                       : x >= power_of_ten[before])
        before++;
    struct shortest r = {.places = 15 - before};
    while (!round_to(f, 53 - exponent, r.places, &r.digits))
        r.places++;
    while (r.places && r.digits % 10 == 0) {
        r.digits /= 10;
        r.places--;
    }
    return r;
}

static int format_usual(double x, char *to)
{
    char digits[24];
    struct shortest r = shorten(x);
    int n = 0, at = 0;
    for (; r.digits || n <= r.places; r.digits /= 10)
        digits[n++] = (char)('0' + r.digits % 10);
    while (n) {
        to[at++] = digits[--n];
        if (n == r.places && n)
            to[at++] = '.';
    }
    to[at] = 0;
    return at;
}

static int format_rare(double x, char to[BESTDAG_NUMBER_ROOM])
{
    int digits = fabs(x) < DBL_MIN ? 1 : 15; /* subnormals have few bits */
    for (; digits <= 17; digits++) {
        snprintf(to, BESTDAG_NUMBER_ROOM, "%.*g", digits, x);
        make_point(to);
        if (!isfinite(x) || text_to_double(to) == x)
            break;
    }
    return (int)strlen(to);
}

int bestdag_number_format(double x, char to[BESTDAG_NUMBER_ROOM])
{
    bool negative = signbit(x);
    if (x == 0)
        return sprintf(to, "%s", negative ? "-0" : "0");
    if (!(fabs(x) >= 1e-4 && fabs(x) < 1e15))
        return format_rare(x, to);
    to[0] = '-';
    return negative + format_usual(fabs(x), to + negative);
}

int bestdag_number_brief(double x, char to[BESTDAG_NUMBER_ROOM])
{
    snprintf(to, BESTDAG_NUMBER_ROOM, "%.6g", x);
    make_point(to);
    return (int)strlen(to);
}

int bestdag_number_fixed(double x, char to[BESTDAG_FIXED_ROOM])
{
    char shortest[BESTDAG_NUMBER_ROOM];
    bestdag_number_format(x, shortest);
    const char *e = strchr(shortest, 'e');
    if (!e)
        return snprintf(to, BESTDAG_FIXED_ROOM, "%s", shortest);
    char digits[BESTDAG_NUMBER_ROOM] = "";
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
    size_t n = strcspn(text, "kmgtbKMGTB");
    const char *p = text + n;
    const char *unit = *p ? strchr(units, bestdag_lower(*p)) : NULL;
    double x, scale = unit ? ldexp(1, 10 * (int)(unit - units + 1)) : 1;
    p += unit != NULL;
    p += unit && bestdag_lower(*p) == 'i';
    p += bestdag_lower(*p) == 'b';
    if (*p || !bestdag_number_parse(text, n, &x) || x < 0 || x * scale > 9e18)
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
    return isfinite(*seconds);
}
