/* The C API of libnats (Debian's libnats-dev), without JetStream and streaming. */
#pragma once
#include <nats/nats.h>
