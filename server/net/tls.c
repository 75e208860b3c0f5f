#include "server/net/tls.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include <openssl/async.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "server/ops/clock.h"
#include "server/ops/log.h"
#include "server/ops/memory.h"
#include "server/ops/metrics.h"

/* Forward secrecy and authenticated encryption for TLS 1.2; 1.3 has nothing else. */
#define CIPHERS "ECDHE+AESGCM:ECDHE+CHACHA20"
/* What fits in one record: lines that wait together go out as one. */
#define RECORD_BYTES 16384
#define SECONDS_A_DAY 86400

struct tls {
	SSL_CTX *context;
};

/* Files. */

/* What the library has to say about its last failure, and forget it. */
static const char *library_says(void)
{
	const unsigned long error = ERR_peek_last_error();
	const char *text = ERR_reason_error_string(error);

	ERR_clear_error();
	return text == NULL ? "no reason given" : text;
}

static FILE *open_file(const char *what, const char *path, char *why)
{
	FILE *file = fopen(path, "re");

	if (file == NULL) {
		snprintf(why, TLS_WHY_SIZE, "can't read the %s: %s: %.300s", what, strerror(errno),
				path);
	}
	return file;
}

/* What has a passphrase is refused: nobody is there to be asked. */
static char no_passphrase[] = "";

static bool others_may_read(FILE *file)
{
	struct stat status;

	return fstat(fileno(file), &status) != 0 || (status.st_mode & S_IRWXO) != 0;
}

static EVP_PKEY *read_key(const char *path, char *why)
{
	FILE *file = open_file("key", path, why);
	EVP_PKEY *key = NULL;

	if (file == NULL) {
		return NULL;
	}
	if (others_may_read(file)) {
		snprintf(why, TLS_WHY_SIZE, "the key can be read by others (chmod o= it): %.300s",
				path);
		fclose(file);
		return NULL;
	}
	key = PEM_read_PrivateKey(file, NULL, NULL, no_passphrase);
	fclose(file);
	if (key == NULL) {
		snprintf(why, TLS_WHY_SIZE,
				"there is no key in PEM without a passphrase in this file: %.300s",
				path);
		ERR_clear_error();
	}
	return key;
}

static bool use_certificate(SSL_CTX *context, const char *path, char *why)
{
	FILE *file = open_file("certificate", path, why);
	X509 *first;

	if (file == NULL) {
		return false;
	}
	first = PEM_read_X509_AUX(file, NULL, NULL, no_passphrase);
	fclose(file);
	X509_free(first);
	if (first == NULL) {
		snprintf(why, TLS_WHY_SIZE, "there is no certificate in PEM in this file: %.300s",
				path);
		ERR_clear_error();
		return false;
	}
	if (SSL_CTX_use_certificate_chain_file(context, path) != 1) {
		snprintf(why, TLS_WHY_SIZE, "can't use the certificate (%.100s): %.300s",
				library_says(), path);
		return false;
	}
	return true;
}

static bool use_key(SSL_CTX *context, const char *path, const char *cert, char *why)
{
	EVP_PKEY *key = read_key(path, why);
	bool fits;

	if (key == NULL) {
		return false;
	}
	fits = X509_check_private_key(SSL_CTX_get0_certificate(context), key) == 1 &&
	       SSL_CTX_use_PrivateKey(context, key) == 1;
	EVP_PKEY_free(key);
	if (!fits) {
		snprintf(why, TLS_WHY_SIZE,
				"the key does not belong to the certificate: %.200s, %.200s", path,
				cert);
		ERR_clear_error();
	}
	return fits;
}

static int64_t read_expiry(const SSL_CTX *context)
{
	struct tm end = {0};

	if (ASN1_TIME_to_tm(X509_get0_notAfter(SSL_CTX_get0_certificate(context)), &end) != 1) {
		ERR_clear_error();
		return 0;
	}
	return timegm(&end);
}

static void tell_expiry(const SSL_CTX *context)
{
	const int64_t expiry_s = read_expiry(context);
	const int64_t left_s = expiry_s - clock_now_ms() / 1000;

	metrics_set(METRIC_CERT_EXPIRY, 0, (uint64_t)expiry_s);
	metrics_count_word(METRIC_CERT_LOADS, "loaded");
	log_event(left_s > 0 ? LOG_INFO : LOG_WARN,
			left_s > 0 ? "certificate_loaded" : "certificate_expired",
			"days_left=%" PRId64, left_s / SECONDS_A_DAY);
}

/* The context. */

/* The end of input counts as told only if the peer has said so: then this is its app data. */
static char told_the_end;

static void note_message(int is_ours, int version, int type, const void *data, size_t length,
		SSL *ssl, void *arg)
{
	const unsigned char *alert = data;

	(void)version;
	(void)arg;
	if (is_ours == 0 && type == SSL3_RT_ALERT && length == 2 &&
			alert[1] == SSL_AD_CLOSE_NOTIFY) {
		SSL_set_app_data(ssl, &told_the_end);
	}
}

/* When the handshake that goes on is to be broken off. */
static int64_t break_off_us;

/* Called wherever a handshake goes on from one message to the next. It runs on a stack of its own,
 * as a job of the library's, so it can be left here and be taken up again. */
static void note_progress(const SSL *ssl, int where, int result)
{
	(void)ssl;
	(void)result;
	if ((where & SSL_CB_LOOP) != 0 && clock_now_us() >= break_off_us) {
		ASYNC_pause_job();
	}
}

static bool was_told_the_end(const SSL *ssl)
{
	return SSL_get_app_data(ssl) == &told_the_end;
}

static SSL_CTX *new_context(const char *cert, const char *key, char *why)
{
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());

	if (context == NULL || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
			SSL_CTX_set_cipher_list(context, CIPHERS) != 1) {
		snprintf(why, TLS_WHY_SIZE, "the TLS library does not start: %.100s",
				library_says());
		SSL_CTX_free(context);
		return NULL;
	}
	/* Most who close do not say so first; see was_cut in transport.h. */
	SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
						     SSL_OP_IGNORE_UNEXPECTED_EOF |
						     SSL_OP_CIPHER_SERVER_PREFERENCE |
						     SSL_OP_PRIORITIZE_CHACHA);
	SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
						  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
						  SSL_MODE_ASYNC);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_num_tickets(context, 1);
	SSL_CTX_set_msg_callback(context, note_message);
	SSL_CTX_set_info_callback(context, note_progress);
	SSL_CTX_set_default_passwd_cb_userdata(context, no_passphrase);
	if (!use_certificate(context, cert, why) || !use_key(context, key, cert, why)) {
		SSL_CTX_free(context);
		return NULL;
	}
	return context;
}

bool tls_reload(struct tls *tls, const char *cert, const char *key, char ret_why[TLS_WHY_SIZE])
{
	SSL_CTX *context = new_context(cert, key, ret_why);

	if (context == NULL) {
		metrics_count_word(METRIC_CERT_LOADS, "failed");
		return false;
	}
	tell_expiry(context);
	/* Transports that there are hold references to the old one. */
	SSL_CTX_free(tls->context);
	tls->context = context;
	return true;
}

struct tls *tls_new(const char *cert, const char *key, char ret_why[TLS_WHY_SIZE])
{
	struct tls *tls = memory_new(1, sizeof(*tls));

	if (!tls_reload(tls, cert, key, ret_why)) {
		tls_free(tls);
		return NULL;
	}
	return tls;
}

void tls_free(struct tls *tls)
{
	if (tls == NULL) {
		return;
	}
	SSL_CTX_free(tls->context);
	free(tls);
}

/* The transport. */

/* What a call that did not succeed came to. A peer that makes us wait the other way round, to
 * read before we may write or to write before we may read, asks for new keys without taking what
 * we say: it is given up, lest the loop spin on a socket that is ready for the wrong thing. */
static ssize_t failure_of(SSL *ssl, int result, int expected)
{
	const int saved = errno;
	const int error = SSL_get_error(ssl, result);

	if (error == expected) {
		return -EAGAIN;
	}
	if (error == SSL_ERROR_ZERO_RETURN) {
		return 0;
	}
	if (error == SSL_ERROR_SYSCALL && saved != 0) {
		return -saved;
	}
	return -EPROTO;
}

/* All that can be had: what is left in a record is not seen by who waits for the socket. */
static ssize_t tls_read(struct transport *transport, void *data, size_t size)
{
	SSL *ssl = transport->tls;
	size_t used = 0;
	ssize_t failure = 0;

	while (used < size) {
		int got;

		ERR_clear_error();
		errno = 0;
		got = SSL_read(ssl, (char *)data + used, (int)(size - used));
		if (got <= 0) {
			failure = failure_of(ssl, got, SSL_ERROR_WANT_READ);
			break;
		}
		used += (size_t)got;
	}
	if (used == 0 && failure == 0) {
		transport->was_cut = !was_told_the_end(ssl);
	}
	return used > 0 ? (ssize_t)used : failure;
}

/* As much of the pieces from *position on as one record holds. */
static size_t fill_record(const struct iovec *pieces, size_t count, size_t position, char *ret)
{
	size_t used = 0;

	for (size_t i = 0; i < count && used < RECORD_BYTES; i++) {
		size_t length = pieces[i].iov_len;

		if (position >= length) {
			position -= length;
			continue;
		}
		length -= position;
		length = length < RECORD_BYTES - used ? length : RECORD_BYTES - used;
		memcpy(ret + used, (const char *)pieces[i].iov_base + position, length);
		used += length;
		position = 0;
	}
	return used;
}

static ssize_t tls_write(struct transport *transport, struct iovec *pieces, size_t count)
{
	static char record[RECORD_BYTES];
	SSL *ssl = transport->tls;
	size_t written = 0;
	size_t length;

	while ((length = fill_record(pieces, count, written, record)) > 0) {
		int taken;

		ERR_clear_error();
		errno = 0;
		taken = SSL_write(ssl, record, (int)length);
		if (taken <= 0) {
			const ssize_t failure = failure_of(ssl, taken, SSL_ERROR_WANT_WRITE);

			/* They are encrypted already. */
			transport->promised = length;
			if (written > 0) {
				break;
			}
			return failure == 0 ? -EPIPE : failure;
		}
		transport->promised = 0;
		written += (size_t)taken;
	}
	return (ssize_t)written;
}

static bool tls_holds_more(const struct transport *transport)
{
	const SSL *ssl = transport->tls;

	/* The end may have come right behind what was read. */
	return SSL_pending(ssl) > 0 || (SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN) != 0;
}

static void tls_shut(struct transport *transport)
{
	ERR_clear_error();
	/* 0 is told once our side has said so; the rest is for who reads on. */
	if (SSL_shutdown(transport->tls) < 0) {
		ERR_clear_error();
	}
	shutdown(transport->fd, SHUT_WR);
}

static void tls_close(struct transport *transport)
{
	struct transport plain;

	/* What is freed while broken off never gives its stack back. */
	if (SSL_waiting_for_async(transport->tls) == 1) {
		break_off_us = INT64_MAX;
		SSL_do_handshake(transport->tls);
		ERR_clear_error();
	}
	SSL_free(transport->tls);
	transport->tls = NULL;
	transport_init_plain(&plain, transport->fd);
	plain.ops->close(&plain);
}

static const struct transport_ops tls_ops = {
		.read = tls_read,
		.write = tls_write,
		.holds_more = tls_holds_more,
		.shut = tls_shut,
		.close = tls_close,
};

void transport_init_tls(struct transport *transport, int fd, struct tls *tls)
{
	SSL *ssl = SSL_new(tls->context);

	if (ssl == NULL || SSL_set_fd(ssl, fd) != 1) {
		abort(); /* no memory: as memory_new does */
	}
	SSL_set_accept_state(ssl);
	*transport = (struct transport){.ops = &tls_ops, .fd = fd, .tls = ssl};
}

/* The handshake. */

static bool is_not_tls(int reason)
{
	return reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST ||
	       reason == SSL_R_HTTPS_PROXY_REQUEST;
}

/* The library is silent towards what is not TLS at all; an alert tells who is puzzled. */
static void send_alert(int fd)
{
	static const unsigned char alert[] = {SSL3_RT_ALERT, TLS1_VERSION_MAJOR, 1, 0, 2,
			SSL3_AL_FATAL, SSL_AD_PROTOCOL_VERSION};

	/* What does not fit into an empty socket's buffer is a peer that is gone. */
	(void)!send(fd, alert, sizeof(alert), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static enum tls_step handshake_failed(struct transport *transport, int error, const char **ret_why)
{
	const unsigned long code = ERR_peek_error();
	const char *text = ERR_reason_error_string(code);

	ERR_clear_error();
	if (error == SSL_ERROR_SSL && is_not_tls(ERR_GET_REASON(code))) {
		send_alert(transport->fd);
		*ret_why = text;
		return TLS_NOT_TLS;
	}
	*ret_why = error == SSL_ERROR_SSL && text != NULL ? text : "the peer is gone";
	return TLS_FAILED;
}

enum tls_step tls_handshake(struct transport *transport, const char **ret_why)
{
	SSL *ssl = transport->tls;
	int result;
	int error;

	ERR_clear_error();
	break_off_us = clock_now_us() + TLS_PIECE_US;
	result = SSL_do_handshake(ssl);
	if (result == 1) {
		/* From here on it would cost each reading and writing a change of stacks. */
		SSL_clear_mode(ssl, SSL_MODE_ASYNC);
		return TLS_DONE;
	}
	error = SSL_get_error(ssl, result);
	if (error == SSL_ERROR_WANT_ASYNC) {
		return TLS_GOES_ON;
	}
	if (error == SSL_ERROR_WANT_READ) {
		return TLS_WANTS_READ;
	}
	if (error == SSL_ERROR_WANT_WRITE) {
		return TLS_WANTS_WRITE;
	}
	return handshake_failed(transport, error, ret_why);
}
