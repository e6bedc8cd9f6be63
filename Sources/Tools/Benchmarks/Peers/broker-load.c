// A worker that gives back what it gets and a client that keeps asks in flight, a thread and a context each, through
// broker.c or through Billfold's (docs/frames.md, "Billfold dialect"): the same load on both. The first eight bytes of a
// body are the client's number for the ask.
#include "peer.h"
#include <pthread.h>
#include <semaphore.h>
#include <zmq.h>

static const char *directory;
static int is_billfold;
static sem_t worker_ready, worker_gone;
// The number of the ask that ends a worker.
static const uint64_t last = UINT64_MAX;

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

static void work_plainly(void *socket) {
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
}

static void work_for_billfold(void *socket) {
    static const char ready[] = "BFW1\1\0\4\0echo", heartbeat[] = "BFW1\5\0\0";
    static const char disconnect[] = "BFW1\6\0\0";
    char reply[24] = "BFW1\4";
    zmq_msg_t header, body;
    zmq_msg_init(&header);
    zmq_msg_init(&body);
    zmq_send(socket, ready, sizeof ready - 1, 0);
    for (;;) {
        if (zmq_msg_recv(&header, socket, 0) < 0) fail("receive");
        const char *bytes = zmq_msg_data(&header);
        if (bytes[4] == 5) {  // The first one says that READY has come: each is answered in kind.
            sem_post(&worker_ready);
            zmq_send(socket, heartbeat, 8, 0);
        }
        if (bytes[4] == 6) fail("the broker does not want this worker");
        if (bytes[4] != 2) continue;
        zmq_msg_recv(&body, socket, 0);
        int is_last = memcmp(zmq_msg_data(&body), &last, sizeof last) == 0;
        memcpy(reply + 8, bytes + 8, 16);
        zmq_send(socket, reply, sizeof reply, ZMQ_SNDMORE);
        zmq_msg_send(&body, socket, 0);
        if (is_last) {  // The next worker must not share its asks with one that has gone.
            zmq_send(socket, disconnect, 8, 0);
            sem_post(&worker_gone);
            return;
        }
    }
}

static void *work(void *unused) {
    if (is_billfold) work_for_billfold(connect_dealer("asks"));
    else work_plainly(connect_dealer("back"));
    return unused;
}

static uint64_t *started;

static void ask(void *socket, uint64_t number, size_t size) {
    static const char header[28] = "BFC1\1\2\0\0" "\0\0\0\0\0\0\0\0" "\0\0\0\0\0\0\0\0" "echo";
    zmq_msg_t body;
    zmq_msg_init_size(&body, size);
    memset(zmq_msg_data(&body), 'x', size);
    memcpy(zmq_msg_data(&body), &number, sizeof number);
    if (number != last) started[number] = now_ns();
    if (is_billfold && zmq_send(socket, header, sizeof header, ZMQ_SNDMORE) < 0) fail("send");
    if (zmq_msg_send(&body, socket, 0) < 0) fail("send");
}

static uint64_t receive(void *socket, zmq_msg_t *answer) {
    uint64_t number;
    if (is_billfold) {
        if (zmq_msg_recv(answer, socket, 0) < 0) fail("receive");
        if (((const char *)zmq_msg_data(answer))[5] != 0) fail("an ask was refused");
    }
    if (zmq_msg_recv(answer, socket, 0) < 0) fail("receive");
    memcpy(&number, zmq_msg_data(answer), sizeof number);
    return number;
}

int main(int argc, char **argv) {
    directory = option(argc, argv, "--run", ".");
    is_billfold = strcmp(option(argc, argv, "--broker", "plain"), "billfold") == 0;
    size_t size = (size_t)number(argc, argv, "--body", "256", 8);
    uint64_t in_flight = (uint64_t)number(argc, argv, "--in-flight", "100", 1);
    double seconds = number(argc, argv, "--seconds", "2", 0.01);

    pthread_t worker;
    sem_init(&worker_ready, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    void *socket = connect_dealer(is_billfold ? "asks" : "front");
    started = calloc(in_flight, sizeof *started);

    samples_t samples = {0};
    zmq_msg_t answer;
    zmq_msg_init(&answer);
    sem_wait(&worker_ready);
    uint64_t begin = now_ns(), end = begin + (uint64_t)(seconds * 1e9), open = in_flight, now;
    for (uint64_t i = 0; i < in_flight; i++) ask(socket, i, size);
    do {
        uint64_t number = receive(socket, &answer);
        now = now_ns();
        add_sample(&samples, now - started[number]);
        if (now < end) ask(socket, number, size);
        else open--;
    } while (open);
    now = now_ns();
    if (is_billfold) {
        ask(socket, last, size);
        sem_wait(&worker_gone);
        receive(socket, &answer);
    }
    report(is_billfold ? "Billfold's broker" : "C broker", samples.count, now - begin, &samples);
    return 0;
}
