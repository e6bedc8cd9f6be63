/* libsodium (Debian's libsodium-dev): Argon2id, keyed hashes, random bytes. */
#pragma once
#include <sodium.h>
