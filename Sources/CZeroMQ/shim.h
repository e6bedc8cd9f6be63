/* The stable C API of libzmq (Debian's libzmq3-dev); the draft API is not used. */
#pragma once
#include <zmq.h>
