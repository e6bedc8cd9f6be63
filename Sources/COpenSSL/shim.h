/* OpenSSL (Debian's libssl-dev): TLS as a client, and those of its functions that are macros. */
#pragma once
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int billfold_tls12_or_later(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

// The name of the server that is wanted, for servers that have several certificates.
static inline int billfold_want_server(SSL *tls, const char *host) { return (int)SSL_set_tlsext_host_name(tls, host); }
