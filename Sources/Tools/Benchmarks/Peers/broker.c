// A plain ROUTER-ROUTER broker: clients on one socket, one worker on the other, nothing in between but the frames.
//
//   client   [body]              -> front ROUTER -> worker [client, body]
//   worker   [client, body]      -> back ROUTER  -> client [body]
//
// The worker says hello with an empty frame and gets one back. No names, no queue, no deadlines, no heartbeats: what
// ZeroMQ alone costs. Frames are moved from socket to socket, never copied.
#include "peer.h"
#include <zmq.h>

static const int BATCH = 256;

static void *bind_router(void *context, const char *directory, const char *name) {
    char endpoint[256];
    int high_water = 100000, no_linger = 0;
    void *socket = zmq_socket(context, ZMQ_ROUTER);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &high_water, sizeof high_water);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &high_water, sizeof high_water);
    zmq_setsockopt(socket, ZMQ_LINGER, &no_linger, sizeof no_linger);
    snprintf(endpoint, sizeof endpoint, "ipc://%s/%s.sock", directory, name);
    if (zmq_bind(socket, endpoint) != 0) fail(endpoint);
    return socket;
}

int main(int argc, char **argv) {
    const char *directory = option(argc, argv, "--run", ".");
    void *context = zmq_ctx_new();
    void *front = bind_router(context, directory, "front");
    void *back = bind_router(context, directory, "back");

    unsigned char worker[255];
    int worker_size = 0;
    zmq_msg_t peer, client, body;
    zmq_msg_init(&peer);
    zmq_msg_init(&client);
    zmq_msg_init(&body);

    for (;;) {
        int moved = 0;
        // Asks wait in the front socket until there is a worker.
        while (worker_size && moved < BATCH && zmq_msg_recv(&client, front, ZMQ_DONTWAIT) >= 0) {
            zmq_msg_recv(&body, front, 0);
            zmq_send(back, worker, (size_t)worker_size, ZMQ_SNDMORE);
            zmq_msg_send(&client, back, ZMQ_SNDMORE);
            zmq_msg_send(&body, back, 0);
            moved++;
        }
        for (int answers = 0; answers < BATCH && zmq_msg_recv(&peer, back, ZMQ_DONTWAIT) >= 0; answers++) {
            zmq_msg_recv(&client, back, 0);
            if (zmq_msg_more(&client)) {
                zmq_msg_recv(&body, back, 0);
                zmq_msg_send(&client, front, ZMQ_SNDMORE);
                zmq_msg_send(&body, front, 0);
            } else {
                worker_size = (int)zmq_msg_size(&peer);
                memcpy(worker, zmq_msg_data(&peer), (size_t)worker_size);
                zmq_send(back, worker, (size_t)worker_size, ZMQ_SNDMORE);
                zmq_send(back, "", 0, 0);
            }
            moved++;
        }
        if (moved) continue;
        zmq_pollitem_t items[] = {{back, 0, ZMQ_POLLIN, 0}, {front, 0, ZMQ_POLLIN, 0}};
        zmq_poll(items, worker_size ? 2 : 1, -1);
    }
}
