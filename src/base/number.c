/* SPDX-License-Identifier: MIT */
/* number.c -- decimal numbers, sizes and durations as text, the same in every
 * locale.
 *
 * Reading is exact: by one division or product where both operands are exact
 * (Clinger 1990), by one division of integers where there are no more digits
 * than 64 bits hold, else by the C library. Writing finds the shortest decimal
 * that reads back; for usual magnitudes by one product of integers, else by
 * trying 15, 16 and 17 digits. */
#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/simd.h"
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

__extension__ typedef unsigned __int128 wide;

static const uint64_t whole_power[] = {1,
                                       10,
                                       100,
                                       1000,
                                       10000,
                                       100000,
                                       1000000,
                                       10000000,
                                       100000000,
                                       1000000000,
                                       10000000000,
                                       100000000000,
                                       1000000000000,
                                       10000000000000,
                                       100000000000000,
                                       1000000000000000,
                                       10000000000000000,
                                       100000000000000000,
                                       1000000000000000000,
                                       10000000000000000000U};
enum { WHOLE_POWERS = sizeof whole_power / sizeof *whole_power };

/* Digits over a power of ten, both of at most 64 bits: the quotient has 64
 * bits, and with "is there a remainder" that is enough to round to 53. */
static bool convert_by_division(const struct decimal *d, double *to)
{
    int64_t places = d->count - d->point;
    if (!d->first || d->count > HEAD || places < 0 || places >= WHOLE_POWERS)
        return false;
    int up = __builtin_clzll(d->head);
    int power_up = __builtin_clzll(whole_power[places]);
    uint64_t above = d->head << up, power = whole_power[places] << power_up;
    int shift = above < power ? 64 : 63;
    wide scaled = (wide)above << shift;
    uint64_t q = (uint64_t)(scaled / power), cut = q & 0x7ff, half = 0x400;
    bool rest = (wide)q * power != scaled;
    q >>= 11;
    q += cut > half || (cut == half && (rest || (q & 1)));
    double x = ldexp((double)q, 11 - shift + power_up - up);
    *to = d->negative ? -x : x;
    return true;
}

/* Any length: no double and no midpoint of two has more than 767 significant
 * digits, so after 800 only whether a digit is not 0 matters. */
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
    if (!convert_exactly(&d, to) && !convert_by_division(&d, to))
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

/* A positive number with DIGITS digits and a rest, all in integers:
 * f / 2^s = (digits + rest / 2^s) / 10^places, f of 53 bits. */
struct expanded {
    uint64_t digits, f;
    wide rest, power; /* 10^places */
    int s, places;
};

enum { DIGITS = 17 }; /* they always read back */

/* For 1e-4 <= x < 1e15, where all products stay below 2^127. */
static struct expanded expand(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1022; /* x < 2^exponent */
    struct expanded e = {.f = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1
                                                                       << 52,
                         .s = 53 - exponent};
    int before = ((exponent - 1) * 1233 >> 12) + 1; /* log10(2) */
    before +=
        before < 0 ? x >= 1 / power_of_ten[-before] : x >= power_of_ten[before];
    e.places = DIGITS - before; /* x < 10^before */
    e.power = e.places < WHOLE_POWERS ? whole_power[e.places]
                                      : (wide)whole_power[e.places - 1] * 10;
    wide scaled = e.f * e.power;
    e.digits = (uint64_t)(scaled >> e.s);
    e.rest = scaled - ((wide)e.digits << e.s);
    return e;
}

/* The nearest decimal whose last digits, as many as `unit` has zeros, are left
 * out, if it reads back: if it is less than half a step of the last bit away.
 * Inline, so that divisions are by constants. */
BESTDAG_INLINE bool round_to(const struct expanded *e, uint64_t unit,
                             uint64_t *to)
{
    uint64_t cut = e->digits % unit, half = unit / 2;
    wide over = ((wide)cut << e->s) + e->rest, one = (wide)unit << e->s;
    bool is_half = unit > 1 ? cut == half && !e->rest : 2 * e->rest == one;
    *to = e->digits / unit;
    if (is_half ? (*to & 1) != 0 : 2 * over > one) {
        ++*to;
        return 2 * (one - over) < e->power;
    }
    return (e->f == (uint64_t)1 << 52 ? 4 : 2) * over < e->power;
}

/* 15 to 17 digits. Two decimals of 15 digits never read as the same double, so
 * the first that reads back is the shortest. */
static struct shortest shorten(double x)
{
    struct expanded e = expand(x);
    struct shortest r;
    if (round_to(&e, 100, &r.digits)) {
        r.places = e.places - 2;
        for (; r.places && r.digits % 10 == 0; r.places--)
            r.digits /= 10;
    } else if (round_to(&e, 10, &r.digits)) {
        r.places = e.places - 1;
    } else {
        round_to(&e, 1, &r.digits);
        r.places = e.places;
    }
    return r;
}

static void spell_pair(uint32_t x, char *to)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324"
        "25262728293031323334353637383940414243444546474849"
        "50515253545556575859606162636465666768697071727374"
        "75767778798081828384858687888990919293949596979899";
    memcpy(to, pairs + (size_t)2 * x, 2);
}

/* Writes all digits of x to the end of `to`; returns how many. The last eight
 * are computed separately, to shorten the chain of divisions. */
static int spell(uint64_t x, char to[24])
{
    int at = 24;
    if (x >= 100000000) {
        uint32_t last = (uint32_t)(x % 100000000);
        x /= 100000000;
        at -= 8;
        spell_pair(last / 1000000, to + at);
        spell_pair(last / 10000 % 100, to + at + 2);
        spell_pair(last / 100 % 100, to + at + 4);
        spell_pair(last % 100, to + at + 6);
    }
    for (; x >= 10; x /= 100)
        spell_pair((uint32_t)(x % 100), to + (at -= 2));
    if (x)
        to[--at] = (char)('0' + x);
    return 24 - at;
}

static int format_usual(double x, char *to)
{
    char digits[24];
    struct shortest r = shorten(x);
    int n = spell(r.digits, digits), whole = n - r.places, at = 0;
    const char *from = digits + 24 - n;
    if (whole <= 0)
        to[at++] = '0';
    else {
        memcpy(to, from, (size_t)whole);
        at = whole;
        from += whole;
    }
    if (r.places)
        to[at++] = '.';
    for (; whole < 0; whole++)
        to[at++] = '0';
    n = (int)(digits + 24 - from);
    memcpy(to + at, from, (size_t)n);
    at += n;
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
