// What the cores take by themselves: arrivals at a constant rate, each of which needs so much processor and nothing else.
// One queue, in the order of arrival; a thread for each core takes the next one and keeps its core until it is done.
#include "peer.h"
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static size_t released, taken, total;
static double rate;
static uint64_t start, work_ns;
static samples_t samples;

static uint64_t due_ns(size_t index) { return start + (uint64_t)((double)index * 1e9 / rate); }

static uint64_t processor_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void *work(void *unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (taken == released && taken < total) pthread_cond_wait(&arrived, &lock);
        if (taken == total) break;
        size_t index = taken++;
        pthread_mutex_unlock(&lock);
        for (uint64_t end = processor_ns() + work_ns; processor_ns() < end;) {}
        samples.ns[index] = now_ns() - due_ns(index);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    rate = number(argc, argv, "--rate", "1000", 1);
    work_ns = (uint64_t)(1000 * number(argc, argv, "--micros", "100", 0));
    double seconds = number(argc, argv, "--seconds", "2", 0.001);
    char cores[16];
    snprintf(cores, sizeof cores, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    size_t threads = (size_t)number(argc, argv, "--threads", cores, 1);

    total = samples.count = samples.room = (size_t)(rate * seconds) + 1;
    samples.ns = calloc(total, sizeof *samples.ns);
    pthread_t *workers = calloc(threads, sizeof *workers);
    if (!samples.ns || !workers) fail("memory");
    start = now_ns();
    for (size_t i = 0; i < threads; i++)
        if ((errno = pthread_create(&workers[i], NULL, work, NULL))) fail("thread");
    // Naps as long as the load's generator, which answers may wake sooner; what that adds to an arrival counts.
    for (struct timespec nap = {0, 1000000}; released < total; nanosleep(&nap, NULL)) {
        pthread_mutex_lock(&lock);
        for (uint64_t now = now_ns(); released < total && due_ns(released) <= now;) released++;
        pthread_cond_broadcast(&arrived);
        pthread_mutex_unlock(&lock);
    }
    for (size_t i = 0; i < threads; i++) pthread_join(workers[i], NULL);
    report("cores", total, now_ns() - start, &samples);
    return 0;
}
