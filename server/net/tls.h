/* TLS: the certificate, and transports that speak it. By OpenSSL over the socket itself, which does
 * not block (server/README.md says why). Knows neither connections nor lines.
 *
 * 1.2 and 1.3, no renegotiation, no early data; a client that comes back may take up its session
 * by a ticket, which costs the server no memory and is good until the certificate is loaded again.
 */
#ifndef NET_TLS_H
#define NET_TLS_H

#include <stdbool.h>

#include "server/net/transport.h"

#define TLS_WHY_SIZE 512

struct tls;

/* Read certificate and key, both PEM files. NULL if they can't be served: ret_why is
 * a sentence that says why, with the file's name. How long the certificate lasts is logged, with a
 * warning if it has ended. */
struct tls *tls_new(const char *cert, const char *key, char ret_why[TLS_WHY_SIZE]);

/* The same again, from these files as they are now. Connections that there are keep what they have;
 * new ones get the new certificate. False, and all stays as it was: ret_why says why. */
bool tls_reload(struct tls *tls, const char *cert, const char *key, char ret_why[TLS_WHY_SIZE]);

/* Transports may still be open. NULL is fine. */
void tls_free(struct tls *tls);

/* Take over a connected socket that does not block. Until tls_handshake says TLS_DONE nothing may
 * be read or written by it. */
void transport_init_tls(struct transport *transport, int fd, struct tls *tls);

#define TLS_PIECE_US 20

enum tls_step {
	TLS_DONE,
	TLS_GOES_ON,	/* call again: it was broken off for others' sake */
	TLS_WANTS_READ, /* call again when the socket is readable, or writable */
	TLS_WANTS_WRITE,
	TLS_NOT_TLS, /* what came is not TLS; it was answered by an alert */
	TLS_FAILED
};

/* Go on with the handshake, for TLS_PIECE_US and until the library next lets it be broken off,
 * which is some ten times on its way. What is broken off holds 32 KiB more. When it failed *ret_why
 * is a static text. */
enum tls_step tls_handshake(struct transport *transport, const char **ret_why);

#endif
