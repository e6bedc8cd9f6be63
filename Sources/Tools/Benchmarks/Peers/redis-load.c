// Redis GEO beside location: a million customers in the same city as billfold-bench's, walking or searched for, with
// commands pipelined over one loopback connection. Speaks RESP 2 itself, so that no client library is measured.
#include "peer.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

enum { customers = 1000000, city = 180001 };
static const int middle_latitude = 35198284, middle_longitude = -111651302;

static int connection;
static uint64_t state = 4711;

static uint64_t next(void) {
    uint64_t mixed = state += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

static char sent[1 << 22], got[1 << 20];
static size_t to_send, have, at;

static void flush(void) {
    for (size_t done = 0; done < to_send;) {
        ssize_t now = write(connection, sent + done, to_send - done);
        if (now <= 0) fail("write");
        done += (size_t)now;
    }
    to_send = 0;
}

// `words` of text, each as a bulk string.
static void command(int words, const char *const *text) {
    to_send += (size_t)sprintf(sent + to_send, "*%d\r\n", words);
    for (int i = 0; i < words; i++)
        to_send += (size_t)sprintf(sent + to_send, "$%zu\r\n%s\r\n", strlen(text[i]), text[i]);
}

static int read_byte(void) {
    if (at == have) {
        ssize_t now = read(connection, got, sizeof got);
        if (now <= 0) fail("read");
        have = (size_t)now;
        at = 0;
    }
    return (unsigned char)got[at++];
}

static long read_line(void) {
    long value = 0;
    int sign = 1, byte;
    while ((byte = read_byte()) != '\r') {
        if (byte == '-') sign = -1;
        else if (byte >= '0' && byte <= '9') value = value * 10 + byte - '0';
    }
    read_byte();
    return value * sign;
}

// Passes one reply; an array's length, or 0.
static long reply(void) {
    int kind = read_byte();
    long value = read_line();
    if (kind == '-') {
        fprintf(stderr, "Redis refused a command\n");
        exit(1);
    }
    if (kind == '$' && value >= 0)
        for (long i = 0; i < value + 2; i++) read_byte();
    if (kind != '*') return 0;
    for (long i = 0; i < value; i++) reply();
    return value;
}

static int32_t latitudes[customers], longitudes[customers];

static void place(uint32_t customer) {
    char longitude[32], latitude[32], name[40];
    sprintf(longitude, "%.6f", longitudes[customer] / 1e6);
    sprintf(latitude, "%.6f", latitudes[customer] / 1e6);
    // As long as an identifier of ours.
    sprintf(name, "019a9c3d2c40%020u", customer);
    command(5, (const char *[]){"GEOADD", "city", longitude, latitude, name});
}

int main(int argc, char **argv) {
    int port = (int)number(argc, argv, "--port", "0", 1), yes = 1;
    uint64_t group = (uint64_t)number(argc, argv, "--group", "256", 1);
    double seconds = number(argc, argv, "--seconds", "2", 0.01);
    int searches = strcmp(option(argc, argv, "--deed", "updates"), "searches") == 0;
    if (group > 8192) group = 8192;  // what `sent` holds

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);

    for (uint32_t i = 0; i < customers; i++) {
        latitudes[i] = middle_latitude - city / 2 + (int32_t)(next() % city);
        longitudes[i] = middle_longitude - city / 2 + (int32_t)(next() % city);
    }
    command(2, (const char *[]){"ZCARD", "city"});
    flush();
    read_byte();
    if (read_line() != customers)
        for (uint32_t i = 0; i < customers;) {
            uint32_t until = i + 4096 < customers ? i + 4096 : customers, first = i;
            for (; i < until; i++) place(i);
            flush();
            for (; first < until; first++) reply();
        }

    samples_t samples = {0};
    uint64_t spent = 0, done = 0, found = 0;
    while ((double)spent < seconds * 1e9) {
        // What is asked is written before the clock runs, as location's is made before.
        for (uint64_t i = 0; i < group; i++) {
            uint32_t customer = (uint32_t)(next() % customers);
            if (searches) {
                char longitude[32], latitude[32];
                sprintf(longitude, "%.6f", (middle_longitude - city / 2 + (int32_t)(next() % city)) / 1e6);
                sprintf(latitude, "%.6f", (middle_latitude - city / 2 + (int32_t)(next() % city)) / 1e6);
                command(11, (const char *[]){"GEOSEARCH", "city", "FROMLONLAT", longitude, latitude, "BYRADIUS", "100",
                                             "m", "ASC", "COUNT", "20"});
            } else {
                latitudes[customer] += (int32_t)(next() % 271) - 135;
                longitudes[customer] += (int32_t)(next() % 271) - 135;
                place(customer);
            }
        }
        uint64_t begin = now_ns();
        flush();
        for (uint64_t i = 0; i < group; i++) found += (uint64_t)reply();
        uint64_t took = now_ns() - begin;
        add_sample(&samples, took);
        spent += took;
        done += group;
    }
    if (searches && found == 0) fail("nobody was found");
    report(searches ? "Redis GEOSEARCH" : "Redis GEOADD", done, spent, &samples);
    return 0;
}
