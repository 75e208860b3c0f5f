#include "client-cli/link.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "client-cli/language.h"
#include "protocol/phrase.h"

/* A connection on which nothing moves is asked about so often, and given up after the fourth. */
#define LINK_KEEPALIVE_S 15

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

/* Wait for one of poll's events. Returns 0 or a negative errno. */
static int wait_for(int fd, short events, long deadline)
{
	struct pollfd wanted = {.fd = fd, .events = events};

	for (;;) {
		long left = deadline - now_ms();
		int count = left > 0 ? poll(&wanted, 1, (int)left) : 0;

		if (count > 0) {
			return 0;
		}
		if (count == 0) {
			return -ETIMEDOUT;
		}
		if (errno != EINTR) {
			return -errno;
		}
	}
}

/* Wait until a connection under way has come to something. Returns 0 or a negative errno. */
static int connect_wait(int fd)
{
	int result = wait_for(fd, POLLOUT, now_ms() + LINK_CONNECT_TIMEOUT_MS);
	int error = 0;
	socklen_t size = sizeof(error);

	if (result < 0) {
		return result;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) {
		return -errno;
	}
	return -error;
}

/* A socket connected to one address, or a negative errno. */
static int connect_one(const struct addrinfo *address)
{
	int fd = socket(address->ai_family, address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
			address->ai_protocol);
	int result = 0;

	if (fd < 0) {
		return -errno;
	}
	if (connect(fd, address->ai_addr, address->ai_addrlen) < 0) {
		result = errno == EINPROGRESS ? connect_wait(fd) : -errno;
	}
	if (result < 0) {
		close(fd);
		return result;
	}
	return fd;
}

void link_take_fd(struct link *link, int fd)
{
	int on = 1;
	int seconds = LINK_KEEPALIVE_S;
	unsigned int most_ms = 4 * LINK_KEEPALIVE_S * 1000;

	*link = (struct link){.fd = fd};
	/* A short line is to leave at once, and a machine that is gone to be found in a minute;
	 * that this fails on what is no TCP socket does no harm. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof(seconds));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof(seconds));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &most_ms, sizeof(most_ms));
}

static int connect_any(const struct link_target *target, const char **ret_reason)
{
	struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	struct addrinfo *addresses = NULL;
	int result = getaddrinfo(target->host, target->port, &hints, &addresses);
	int fd = -EHOSTUNREACH;

	if (result != 0) {
		*ret_reason = language_reason(result == EAI_SYSTEM ? errno : result);
		return -1;
	}
	for (const struct addrinfo *address = addresses; address && fd < 0;
			address = address->ai_next) {
		fd = connect_one(address);
	}
	freeaddrinfo(addresses);
	if (fd < 0) {
		*ret_reason = language_reason(-fd);
	}
	return fd;
}

static int connect_path(const char *path, const char **ret_reason)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const size_t size = strlen(path) + 1;
	int fd;

	if (size > sizeof(address.sun_path)) {
		*ret_reason = _("the path is too long for a socket");
		return -1;
	}
	memcpy(address.sun_path, path, size);
	fd = connect_one(&(struct addrinfo){.ai_family = AF_UNIX,
			.ai_socktype = SOCK_STREAM,
			.ai_addr = (struct sockaddr *)&address,
			.ai_addrlen = sizeof(address)});
	if (fd < 0) {
		*ret_reason = language_reason(-fd);
	}
	return fd;
}

/* TLS. */

/* Why a certificate is not believed, as far as somebody can do something about it. */
static const char *verify_reason(long result)
{
	switch (result) {
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
	case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
	case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
		return _("nobody whom this machine trusts vouches for its certificate (--ca FILE "
			 "names who may)");
	case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
		return _("its certificate vouches for itself alone (if it is the right one, --ca "
			 "FILE trusts it)");
	case X509_V_ERR_HOSTNAME_MISMATCH:
	case X509_V_ERR_IP_ADDRESS_MISMATCH:
		return _("its certificate is for another name");
	case X509_V_ERR_CERT_HAS_EXPIRED:
		return _("its certificate has expired");
	case X509_V_ERR_CERT_NOT_YET_VALID:
		return _("its certificate is not valid yet (is this machine's clock right?)");
	default:
		return X509_verify_cert_error_string(result);
	}
}

static const char *handshake_reason(SSL *ssl, int error)
{
	unsigned long code = ERR_peek_error();
	const char *text = ERR_reason_error_string(code);
	long verified = SSL_get_verify_result(ssl);

	ERR_clear_error();
	if (verified != X509_V_OK) {
		return verify_reason(verified);
	}
	if (error != SSL_ERROR_SSL || ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
		return _("it closed the connection while TLS began");
	}
	if (ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER) {
		return _("it does not speak TLS at this port");
	}
	return text ? text : _("TLS failed");
}

/* What is checked: that somebody trusted vouches for the certificate, and that it is this host's.
 */
static SSL_CTX *tls_context(const struct link_target *target, const char **ret_reason)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());

	if (!context || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
		*ret_reason = _("the TLS library does not start");
		SSL_CTX_free(context);
		return NULL;
	}
	if (target->ca ? SSL_CTX_load_verify_file(context, target->ca) != 1
		       : SSL_CTX_set_default_verify_paths(context) != 1) {
		*ret_reason = _("there are no certificates in PEM in the file of --ca");
		ERR_clear_error();
		SSL_CTX_free(context);
		return NULL;
	}
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_mode(context,
			SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	return context;
}

static bool tls_expect_host(SSL *ssl, const char *host)
{
	char name[TLSEXT_MAXLEN_host_name + 1]; /* the library's macro wants it writable */

	if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1) {
		return true;
	}
	ERR_clear_error();
	(void)snprintf(name, sizeof(name), "%s", host);
	return SSL_set1_host(ssl, host) == 1 && SSL_set_tlsext_host_name(ssl, name) == 1;
}

/* Returns true, or false with the reason. */
static bool tls_shake_hands(SSL *ssl, int fd, const char **ret_reason)
{
	long deadline = now_ms() + LINK_CONNECT_TIMEOUT_MS;

	for (;;) {
		int result;
		int error;

		ERR_clear_error();
		result = SSL_connect(ssl);
		if (result == 1) {
			return true;
		}
		error = SSL_get_error(ssl, result);
		if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
			*ret_reason = handshake_reason(ssl, error);
			return false;
		}
		result = wait_for(fd, error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, deadline);
		if (result < 0) {
			*ret_reason = language_reason(-result);
			return false;
		}
	}
}

/* NULL with the reason when the server is not who it should be. */
static SSL *tls_begin(const struct link_target *target, int fd, const char **ret_reason)
{
	SSL_CTX *context = tls_context(target, ret_reason);
	SSL *ssl;

	if (!context) {
		return NULL;
	}
	ssl = SSL_new(context);
	SSL_CTX_free(context);
	*ret_reason = _("the TLS library does not start");
	if (ssl && SSL_set_fd(ssl, fd) == 1 && tls_expect_host(ssl, target->host) &&
			tls_shake_hands(ssl, fd, ret_reason)) {
		return ssl;
	}
	SSL_free(ssl);
	return NULL;
}

/* Returns how many bytes, or a negative errno. */
static ssize_t tls_result(SSL *ssl, int result)
{
	int saved = errno;
	int error;

	if (result > 0) {
		return result;
	}
	error = SSL_get_error(ssl, result);
	ERR_clear_error();
	if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
		return -EAGAIN;
	}
	if (error == SSL_ERROR_ZERO_RETURN) {
		return 0;
	}
	return error == SSL_ERROR_SYSCALL && saved != 0 ? -saved : -EPROTO;
}

/* Life. */

bool link_open(const struct link_target *target, struct link *ret, const char **ret_reason)
{
	int fd = target->path ? connect_path(target->path, ret_reason)
			      : connect_any(target, ret_reason);
	SSL *ssl = NULL;

	if (fd < 0) {
		return false;
	}
	if (target->tls) {
		ssl = tls_begin(target, fd, ret_reason);
		if (!ssl) {
			close(fd);
			return false;
		}
	}
	link_take_fd(ret, fd);
	ret->tls = ssl;
	return true;
}

void link_end_thread(void)
{
	OPENSSL_thread_stop();
}

void link_close(struct link *link)
{
	if (link->tls) {
		link_half_close(link);
		SSL_free(link->tls);
	}
	if (link->fd >= 0) {
		close(link->fd);
	}
	free(link->output);
	*link = (struct link){.fd = -1};
}

int link_send(struct link *link, const char *data, size_t length)
{
	size_t kept = link->output_end - link->output_begin;

	if (link->output_begin > 0) {
		memmove(link->output, link->output + link->output_begin, kept);
		link->output_begin = 0;
		link->output_end = kept;
	}
	if (kept + length > link->output_size) {
		size_t size = 2 * (kept + length);
		char *output = realloc(link->output, size);

		if (!output) {
			return -ENOMEM;
		}
		link->output = output;
		link->output_size = size;
	}
	memcpy(link->output + kept, data, length);
	link->output_end += length;
	link->queued += length;
	return 0;
}

bool link_has_output(const struct link *link)
{
	return !link->write_failed && link->output_begin < link->output_end;
}

/* Returns how many bytes were taken, or a negative errno. */
static ssize_t link_write(struct link *link, const char *data, size_t size)
{
	ssize_t count;

	if (link->tls) {
		ERR_clear_error();
		errno = 0;
		count = tls_result(link->tls,
				SSL_write(link->tls, data, size < INT_MAX ? (int)size : INT_MAX));
		return count == 0 ? -EPIPE : count;
	}
	count = send(link->fd, data, size, MSG_NOSIGNAL);
	return count < 0 ? -errno : count;
}

ssize_t link_read(struct link *link, void *data, size_t size)
{
	ssize_t count;

	if (link->tls) {
		ERR_clear_error();
		errno = 0;
		return tls_result(link->tls,
				SSL_read(link->tls, data, size < INT_MAX ? (int)size : INT_MAX));
	}
	count = read(link->fd, data, size);
	return count < 0 ? -errno : count;
}

void link_flush(struct link *link)
{
	while (link_has_output(link)) {
		ssize_t count = link_write(link, link->output + link->output_begin,
				link->output_end - link->output_begin);

		if (count == -EINTR) {
			continue;
		}
		if (count < 0) {
			link->write_failed = count != -EAGAIN;
			return;
		}
		link->output_begin += (size_t)count;
		link->written += (uint64_t)count;
	}
}

void link_half_close(struct link *link)
{
	if (!link->half_closed && link->fd >= 0) {
		link->half_closed = true;
		if (link->tls) {
			ERR_clear_error();
			(void)SSL_shutdown(link->tls);
		}
		(void)shutdown(link->fd, SHUT_WR);
	}
}
