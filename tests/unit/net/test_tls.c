#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "server/net/tls.h"
#include "tests/unit/game/cmocka_all.h"

#define KEY_PATH "key.pem"
#define CERT_PATH "cert.pem"
#define TURNS 1000

/* A server's end and a client's, which are this test's both. */
struct pair {
	struct tls *tls;
	struct transport server;
	SSL_CTX *context;
	SSL *client;
};

static void write_key(EVP_PKEY *key)
{
	FILE *file = fopen(KEY_PATH, "we");

	assert_non_null(file);
	assert_int_equal(chmod(KEY_PATH, S_IRUSR | S_IWUSR), 0);
	assert_int_equal(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL), 1);
	fclose(file);
}

static void write_certificate(EVP_PKEY *key)
{
	X509 *certificate = X509_new();
	FILE *file = fopen(CERT_PATH, "we");

	assert_non_null(file);
	X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
	X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
	X509_set_pubkey(certificate, key);
	assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
	assert_int_equal(PEM_write_X509(file, certificate), 1);
	fclose(file);
	X509_free(certificate);
}

static int make_files(void **state)
{
	static char folder[] = "/tmp/qttt-test-tls-XXXXXX";
	EVP_PKEY *key = EVP_EC_gen("P-256");

	if (mkdtemp(folder) == NULL || chdir(folder) != 0 || key == NULL) {
		return -1;
	}
	write_key(key);
	write_certificate(key);
	EVP_PKEY_free(key);
	*state = folder;
	return 0;
}

static int remove_files(void **state)
{
	return unlink(KEY_PATH) != 0 || unlink(CERT_PATH) != 0 || rmdir(*state) != 0;
}

static void open_pair(struct pair *pair)
{
	char why[TLS_WHY_SIZE] = "";
	int ends[2];

	pair->tls = tls_new(CERT_PATH, KEY_PATH, why);
	assert_string_equal(why, "");
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
	transport_init_tls(&pair->server, ends[0], pair->tls);
	pair->context = SSL_CTX_new(TLS_client_method());
	pair->client = SSL_new(pair->context);
	SSL_set_fd(pair->client, ends[1]);
	SSL_set_connect_state(pair->client);
}

static void close_client(struct pair *pair)
{
	close(SSL_get_fd(pair->client));
	SSL_free(pair->client);
	SSL_CTX_free(pair->context);
	tls_free(pair->tls);
}

/* The client says its first bytes, and the server goes on until it is broken off. */
static void begin(struct pair *pair)
{
	const char *why = NULL;

	assert_int_equal(SSL_do_handshake(pair->client), -1);
	assert_int_equal(tls_handshake(&pair->server, &why), TLS_GOES_ON);
}

/* Returns how often the server's side was broken off. */
static int finish(struct pair *pair)
{
	enum tls_step step = TLS_GOES_ON;
	const char *why = NULL;
	int breaks = 0;

	for (int turn = 0; step != TLS_DONE && turn < TURNS; turn++) {
		step = tls_handshake(&pair->server, &why);
		breaks += step == TLS_GOES_ON;
		assert_true(step == TLS_DONE || step == TLS_GOES_ON || step == TLS_WANTS_READ);
		SSL_do_handshake(pair->client);
	}
	assert_int_equal(step, TLS_DONE);
	return breaks;
}

static void talk(struct pair *pair)
{
	char got[8] = "";
	struct iovec line = {.iov_base = got, .iov_len = 5};

	assert_int_equal(SSL_write(pair->client, "hello", 5), 5);
	assert_int_equal(pair->server.ops->read(&pair->server, got, sizeof(got)), 5);
	assert_int_equal(pair->server.ops->write(&pair->server, &line, 1), 5);
	assert_int_equal(SSL_read(pair->client, got, sizeof(got)), 5);
	assert_memory_equal(got, "hello", 5);
}

static void a_handshake_is_broken_off_and_goes_on(void **state)
{
	struct pair pair;

	(void)state;
	open_pair(&pair);
	begin(&pair);
	assert_in_range(finish(&pair), 2, 100);
	talk(&pair);
	pair.server.ops->close(&pair.server);
	close_client(&pair);
}

static void handshakes_that_are_broken_off_do_not_meet(void **state)
{
	struct pair one;
	struct pair two;

	(void)state;
	open_pair(&one);
	open_pair(&two);
	begin(&one);
	begin(&two);
	finish(&one);
	finish(&two);
	talk(&one);
	talk(&two);
	one.server.ops->close(&one.server);
	two.server.ops->close(&two.server);
	close_client(&one);
	close_client(&two);
}

/* What it leaves is told by those who look for leaks. */
static void one_that_is_broken_off_can_be_closed(void **state)
{
	struct pair pair;
	char byte;

	(void)state;
	open_pair(&pair);
	begin(&pair);
	pair.server.ops->close(&pair.server);
	assert_int_not_equal(SSL_get_error(pair.client, SSL_read(pair.client, &byte, 1)),
			SSL_ERROR_WANT_READ);
	close_client(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_handshake_is_broken_off_and_goes_on),
			cmocka_unit_test(handshakes_that_are_broken_off_do_not_meet),
			cmocka_unit_test(one_that_is_broken_off_can_be_closed),
	};

	signal(SIGPIPE, SIG_IGN);
	alarm(20);
	return cmocka_run_group_tests(tests, make_files, remove_files);
}
