// Shared by the yardsticks: options, a clock, samples, and the one line of JSON that each prints.
#ifndef PEER_H
#define PEER_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static inline uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// The value that follows `name` among the arguments, or `otherwise`.
static inline const char *option(int argc, char **argv, const char *name, const char *otherwise) {
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0) return argv[i + 1];
    return otherwise;
}

static inline double number(int argc, char **argv, const char *name, const char *otherwise, double least) {
    double value = atof(option(argc, argv, name, otherwise));
    if (!(value >= least)) {
        fprintf(stderr, "%s must be at least %g\n", name, least);
        exit(2);
    }
    return value;
}

typedef struct {
    uint64_t *ns;
    size_t count, room;
} samples_t;

static inline void add_sample(samples_t *samples, uint64_t ns) {
    if (samples->count == samples->room) {
        samples->room = samples->room ? samples->room * 2 : 1 << 16;
        samples->ns = realloc(samples->ns, samples->room * sizeof *samples->ns);
        if (!samples->ns) fail("memory");
    }
    samples->ns[samples->count++] = ns;
}

static int compare_ns(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static inline double percentile_us(const samples_t *samples, double fraction) {
    size_t index = (size_t)(fraction * (double)samples->count);
    return (double)samples->ns[index < samples->count ? index : samples->count - 1] / 1000;
}

// `count` operations in `elapsed` nanoseconds; the samples are of what was waited for.
static inline void report(const char *name, uint64_t count, uint64_t elapsed, samples_t *samples) {
    if (count == 0 || samples->count == 0) {
        fprintf(stderr, "%s: nothing was measured\n", name);
        exit(1);
    }
    qsort(samples->ns, samples->count, sizeof *samples->ns, compare_ns);
    double seconds = (double)elapsed / 1e9;
    printf("{\"name\":\"%s\",\"count\":%llu,\"seconds\":%.3f,\"perSecond\":%.0f,"
           "\"p50Micros\":%.1f,\"p99Micros\":%.1f,\"maxMicros\":%.1f}\n",
           name, (unsigned long long)count, seconds, (double)count / seconds, percentile_us(samples, 0.5),
           percentile_us(samples, 0.99), percentile_us(samples, 1));
}

#endif
