// Request and reply through a nats-server, pipelined: a responder that gives back what it gets and a client that keeps
// requests in flight, a thread and a TCP connection each. The protocol is spoken on the plain socket, and what one read
// brought is answered with one write: faster than the library, which hands every message to another thread.
#include "peer.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>

enum { BUFFER = 1 << 20 };

typedef struct {
    int socket;
    char *in, *out;
    size_t have, used, pending;  // received, of it dealt with; to be sent
} nats_t;

static int port;
static sem_t responder_ready;

static void flush(nats_t *nats) {
    for (size_t sent = 0; sent < nats->pending;) {
        ssize_t count = send(nats->socket, nats->out + sent, nats->pending - sent, MSG_NOSIGNAL);
        if (count <= 0) fail("send to nats-server");
        sent += (size_t)count;
    }
    nats->pending = 0;
}

static void append(nats_t *nats, const void *bytes, size_t size) {
    if (nats->pending + size > BUFFER) flush(nats);
    memcpy(nats->out + nats->pending, bytes, size);
    nats->pending += size;
}

static void publish(nats_t *nats, const char *head, size_t head_size, const char *body, size_t size) {
    append(nats, head, head_size);
    append(nats, body, size);
    append(nats, "\r\n", 2);
}

typedef struct {
    char *reply;  // where an answer is to go; NULL for an answer
    char *subject;
    char *body;
    size_t size;
} message_t;

// Reads until there is a whole message; before it waits, it sends what is pending.
static message_t receive(nats_t *nats) {
    for (;;) {
        char *start = nats->in + nats->used, *stop = nats->in + nats->have;
        char *line_end = memchr(start, '\n', (size_t)(stop - start));
        if (line_end) {
            char *next = line_end + 1;
            if (memcmp(start, "MSG ", 4) == 0) {
                // MSG <subject> <subscription> [reply] <size>
                char *size_at = line_end - 1;
                while (size_at[-1] != ' ') size_at--;
                size_t size = strtoul(size_at, NULL, 10);
                if ((size_t)(stop - next) >= size + 2) {
                    char *subject = start + 4, *subject_end = strchr(subject, ' ');
                    char *reply = strchr(subject_end + 1, ' ') + 1;
                    *subject_end = 0;
                    size_at[-1] = 0;
                    nats->used = (size_t)(next - nats->in) + size + 2;
                    return (message_t){reply == size_at ? NULL : reply, subject, next, size};
                }
            } else {
                if (memcmp(start, "PING", 4) == 0) append(nats, "PONG\r\n", 6);
                if (memcmp(start, "-ERR", 4) == 0) {
                    fprintf(stderr, "nats-server: %.*s\n", (int)(line_end - start), start);
                    exit(1);
                }
                nats->used = (size_t)(next - nats->in);
                continue;
            }
        }
        flush(nats);
        memmove(nats->in, start, (size_t)(stop - start));
        nats->have -= nats->used;
        nats->used = 0;
        ssize_t count = recv(nats->socket, nats->in + nats->have, BUFFER - nats->have, 0);
        if (count <= 0) fail("receive from nats-server");
        nats->have += (size_t)count;
    }
}

// Returns when the server has the subscription: it answers a PING in order.
static nats_t connect_nats(const char *subscribe) {
    nats_t nats = {socket(AF_INET, SOCK_STREAM, 0), malloc(BUFFER), malloc(BUFFER), 0, 0, 0};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int yes = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(nats.socket, (struct sockaddr *)&address, sizeof address) != 0) fail("connect to nats-server");
    setsockopt(nats.socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const char *hello = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\n";
    append(&nats, hello, strlen(hello));
    append(&nats, subscribe, strlen(subscribe));
    append(&nats, "PING\r\n", 6);
    flush(&nats);
    do {
        ssize_t count = recv(nats.socket, nats.in + nats.have, BUFFER - 1 - nats.have, 0);
        if (count <= 0) fail("receive from nats-server");
        nats.have += (size_t)count;
        nats.in[nats.have] = 0;
    } while (!strstr(nats.in, "PONG\r\n"));
    nats.have = 0;
    return nats;
}

static void *respond(void *unused) {
    nats_t nats = connect_nats("SUB peer.echo 1\r\n");
    sem_post(&responder_ready);
    for (;;) {
        char head[128];
        message_t message = receive(&nats);
        int size = snprintf(head, sizeof head, "PUB %s %zu\r\n", message.reply, message.size);
        publish(&nats, head, (size_t)size, message.body, message.size);
    }
    return unused;
}

// As long as the inboxes of NATS's own clients.
#define INBOX "_INBOX.PeerPeerPeerPeerPeer00."

static uint64_t *started;

static void request(nats_t *nats, uint64_t number, const char *body, size_t size) {
    char head[128];
    int head_size =
        snprintf(head, sizeof head, "PUB peer.echo " INBOX "%llu %zu\r\n", (unsigned long long)number, size);
    started[number] = now_ns();
    publish(nats, head, (size_t)head_size, body, size);
}

int main(int argc, char **argv) {
    port = (int)number(argc, argv, "--port", "4222", 1);
    size_t size = (size_t)number(argc, argv, "--body", "256", 0);
    uint64_t in_flight = (uint64_t)number(argc, argv, "--in-flight", "100", 1);
    double seconds = number(argc, argv, "--seconds", "2", 0.01);
    char *body = malloc(size + 1);
    memset(body, 'x', size);

    pthread_t responder;
    sem_init(&responder_ready, 0, 0);
    pthread_create(&responder, NULL, respond, NULL);
    sem_wait(&responder_ready);  // a request that comes before its responder is lost
    nats_t nats = connect_nats("SUB " INBOX "* 1\r\n");
    started = calloc(in_flight, sizeof *started);

    samples_t samples = {0};
    uint64_t begin = now_ns(), end = begin + (uint64_t)(seconds * 1e9), open = in_flight, now;
    for (uint64_t i = 0; i < in_flight; i++) request(&nats, i, body, size);
    do {
        message_t answer = receive(&nats);
        uint64_t number = strtoull(strrchr(answer.subject, '.') + 1, NULL, 10);
        now = now_ns();
        add_sample(&samples, now - started[number]);
        if (now < end) request(&nats, number, body, size);
        else open--;
    } while (open);
    report("nats-server", samples.count, now - begin, &samples);
    return 0;
}
