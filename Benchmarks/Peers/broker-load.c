// A worker that gives back what it gets and a client that keeps asks in flight, a thread and a context each, through
// broker.c. The first eight bytes of a body are the client's number for the ask.
#include "peer.h"
#include <pthread.h>
#include <semaphore.h>
#include <zmq.h>

static const char *directory;
static sem_t worker_ready;

static void *connect_dealer(const char *name) {
    char endpoint[256];
    int high_water = 100000, no_linger = 0;
    void *socket = zmq_socket(zmq_ctx_new(), ZMQ_DEALER);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &high_water, sizeof high_water);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &high_water, sizeof high_water);
    zmq_setsockopt(socket, ZMQ_LINGER, &no_linger, sizeof no_linger);
    snprintf(endpoint, sizeof endpoint, "ipc://%s/%s.sock", directory, name);
    if (zmq_connect(socket, endpoint) != 0) fail(endpoint);
    return socket;
}

static void *work(void *unused) {
    void *socket = connect_dealer("back");
    zmq_msg_t client, body;
    zmq_msg_init(&client);
    zmq_msg_init(&body);
    zmq_send(socket, "", 0, 0);
    zmq_msg_recv(&body, socket, 0);
    sem_post(&worker_ready);
    for (;;) {
        zmq_msg_recv(&client, socket, 0);
        zmq_msg_recv(&body, socket, 0);
        zmq_msg_send(&client, socket, ZMQ_SNDMORE);
        zmq_msg_send(&body, socket, 0);
    }
    return unused;
}

static uint64_t *started;

static void ask(void *socket, uint64_t number, size_t size) {
    zmq_msg_t body;
    zmq_msg_init_size(&body, size);
    memset(zmq_msg_data(&body), 'x', size);
    memcpy(zmq_msg_data(&body), &number, sizeof number);
    started[number] = now_ns();
    if (zmq_msg_send(&body, socket, 0) < 0) fail("send");
}

int main(int argc, char **argv) {
    directory = option(argc, argv, "--run", ".");
    size_t size = (size_t)number(argc, argv, "--body", "256", 8);
    uint64_t in_flight = (uint64_t)number(argc, argv, "--in-flight", "100", 1);
    double seconds = number(argc, argv, "--seconds", "2", 0.01);

    pthread_t worker;
    sem_init(&worker_ready, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    void *socket = connect_dealer("front");
    started = calloc(in_flight, sizeof *started);

    samples_t samples = {0};
    zmq_msg_t answer;
    zmq_msg_init(&answer);
    sem_wait(&worker_ready);
    uint64_t begin = now_ns(), end = begin + (uint64_t)(seconds * 1e9), open = in_flight, now;
    for (uint64_t i = 0; i < in_flight; i++) ask(socket, i, size);
    do {
        uint64_t number;
        if (zmq_msg_recv(&answer, socket, 0) < 0) fail("receive");
        memcpy(&number, zmq_msg_data(&answer), sizeof number);
        now = now_ns();
        add_sample(&samples, now - started[number]);
        if (now < end) ask(socket, number, size);
        else open--;
    } while (open);
    report("C broker", samples.count, now - begin, &samples);
    return 0;
}
