// Request and reply through a nats-server by NATS's own client in C, as its documentation has it: a responder and a
// client on connections of their own, whose callbacks publish the answer and the next request.
#include <nats/nats.h>
#include <semaphore.h>

#include "peer.h"

static char *body, inbox[64];
static size_t size;
static uint64_t *started, begin, end, open_requests;
static samples_t samples;
static sem_t done;

static void check(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
    exit(1);
}

static void respond(natsConnection *nats, natsSubscription *subscription, natsMsg *request, void *unused) {
    check(natsConnection_Publish(
              nats, natsMsg_GetReply(request), natsMsg_GetData(request), natsMsg_GetDataLength(request)),
          "answer");
    natsMsg_Destroy(request);
}

static void request(natsConnection *nats, uint64_t number) {
    char reply[96];
    snprintf(reply, sizeof reply, "%s.%llu", inbox, (unsigned long long)number);
    started[number] = now_ns();
    check(natsConnection_PublishRequest(nats, "peer.echo", reply, body, (int)size), "ask");
}

static void answered(natsConnection *nats, natsSubscription *subscription, natsMsg *answer, void *unused) {
    uint64_t number = strtoull(strrchr(natsMsg_GetSubject(answer), '.') + 1, NULL, 10), now = now_ns();
    natsMsg_Destroy(answer);
    add_sample(&samples, now - started[number]);
    if (now < end) request(nats, number);
    else if (--open_requests == 0) sem_post(&done);
}

static natsConnection *connect_to(const char *address) {
    natsConnection *nats;
    check(natsConnection_ConnectTo(&nats, address), "connect to nats-server");
    return nats;
}

int main(int argc, char **argv) {
    char address[64], all[72];
    snprintf(address, sizeof address, "nats://127.0.0.1:%d", (int)number(argc, argv, "--port", "4222", 1));
    size = (size_t)number(argc, argv, "--body", "256", 0);
    open_requests = (uint64_t)number(argc, argv, "--in-flight", "100", 1);
    double seconds = number(argc, argv, "--seconds", "2", 0.01);
    body = malloc(size + 1);
    memset(body, 'x', size);
    started = calloc(open_requests, sizeof *started);
    sem_init(&done, 0, 0);

    natsConnection *responder = connect_to(address), *client = connect_to(address);
    natsSubscription *requests, *answers;
    check(natsConnection_Subscribe(&requests, responder, "peer.echo", respond, NULL), "subscribe");
    check(natsConnection_Flush(responder), "flush");  // a request that comes before its responder is lost
    natsInbox *own;
    check(natsInbox_Create(&own), "inbox");
    snprintf(inbox, sizeof inbox, "%s", own);
    snprintf(all, sizeof all, "%s.*", inbox);
    check(natsConnection_Subscribe(&answers, client, all, answered, NULL), "subscribe");

    begin = now_ns();
    end = begin + (uint64_t)(seconds * 1e9);
    for (uint64_t number = 0, count = open_requests; number < count; number++) request(client, number);
    sem_wait(&done);
    report("libnats", samples.count, now_ns() - begin, &samples);
    return 0;
}
