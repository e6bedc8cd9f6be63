// A name is looked up by glibc while its caller goes on: `getaddrinfo_a`, which is shown to those who define _GNU_SOURCE
// only, and its request as glibc has it.
#pragma once
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct billfold_gaicb {
    const char *name, *service;
    const struct addrinfo *hints;
    struct addrinfo *result;
    int reserved[6];
};

extern int getaddrinfo_a(int mode, struct billfold_gaicb *list[], int count, void *notice);
extern int gai_error(struct billfold_gaicb *request);
extern int gai_cancel(struct billfold_gaicb *request);

typedef struct {
    struct billfold_gaicb request;
    struct addrinfo hints;
    char name[256], service[8];
} billfold_lookup;

// NULL: it cannot be begun, or the name is longer than any.
static inline billfold_lookup *billfold_begin_lookup(const char *name, const char *service) {
    billfold_lookup *lookup = calloc(1, sizeof *lookup);
    if (lookup == NULL) return NULL;
    if (strlen(name) < sizeof lookup->name && strlen(service) < sizeof lookup->service) {
        strcpy(lookup->name, name);
        strcpy(lookup->service, service);
        lookup->hints.ai_socktype = SOCK_STREAM;
        lookup->request = (struct billfold_gaicb){lookup->name, lookup->service, &lookup->hints, NULL, {0}};
        struct billfold_gaicb *list[] = {&lookup->request};
        enum { without_waiting = 1 };
        if (getaddrinfo_a(without_waiting, list, 1, NULL) == 0) return lookup;
    }
    free(lookup);
    return NULL;
}

static inline int billfold_lookup_is_over(billfold_lookup *lookup) {
    enum { in_progress = -100 };
    return gai_error(&lookup->request) != in_progress;
}

// What was found; NULL for a name that has no address.
static inline struct addrinfo *billfold_found(billfold_lookup *lookup) {
    return gai_error(&lookup->request) == 0 ? lookup->request.result : NULL;
}

// One that is under way and cannot be called off keeps its memory: glibc writes there later.
static inline void billfold_end_lookup(billfold_lookup *lookup) {
    if (!billfold_lookup_is_over(lookup)) gai_cancel(&lookup->request);
    if (!billfold_lookup_is_over(lookup)) return;
    if (billfold_found(lookup) != NULL) freeaddrinfo(lookup->request.result);
    free(lookup);
}
