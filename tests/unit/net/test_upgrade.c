#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "server/net/forwarded.h"
#include "server/net/upgrade.h"
#include "tests/unit/game/cmocka_all.h"

#define FIRST "GET /ws HTTP/1.1\r\n"
#define HOST "Host: game.example\r\n"
#define ASKS "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
#define VERSION "Sec-WebSocket-Version: 13\r\n"
#define KEY "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define WHOLE FIRST HOST ASKS VERSION KEY

static struct http_request request;

static void parse(const char *head, const char *more)
{
	static char text[1024];
	size_t used = 0;
	int status = 0;
	const int length = snprintf(text, sizeof(text), "%s%s\r\n", head, more);

	assert_int_equal(http_parse(text, (size_t)length, &request, &used, &status), HTTP_WHOLE);
}

static int status_of(const char *head, const char *more, const struct upgrade_origins *origins)
{
	static const struct upgrade_origins none = {0};
	struct upgrade_answer answer;

	parse(head, more);
	upgrade_judge(&request, origins == NULL ? &none : origins, &answer);
	assert_int_equal(answer.why == NULL, answer.status == 101);
	return answer.status;
}

static void the_key_is_answered_by_its_hash(void **state)
{
	static const struct upgrade_origins none = {0};
	struct upgrade_answer answer;

	(void)state;
	parse(WHOLE, "");
	upgrade_judge(&request, &none, &answer);
	assert_int_equal(answer.status, 101);
	assert_string_equal(answer.accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

static void all_of_the_handshake_has_to_be_there(void **state)
{
	(void)state;
	assert_int_equal(status_of(FIRST HOST ASKS VERSION, "", NULL), 400);
	assert_int_equal(status_of(FIRST HOST ASKS KEY, "", NULL), 426);
	assert_int_equal(status_of(FIRST HOST VERSION KEY, "", NULL), 426);
	assert_int_equal(status_of("GET /ws HTTP/1.0\r\n" HOST ASKS VERSION KEY, "", NULL), 426);
	assert_int_equal(status_of("HEAD /ws HTTP/1.1\r\n" HOST ASKS VERSION KEY, "", NULL), 426);
	assert_int_equal(status_of(FIRST HOST VERSION KEY "Upgrade: websocket\r\n",
					 "Connection: upgraded\r\n", NULL),
			426);
}

static void a_page_is_from_the_same_host_or_from_one_that_is_listed(void **state)
{
	static char first[] = "https://other.example";
	static char any[] = "*";
	char *const listed[] = {first};
	char *const all[] = {any};
	const struct upgrade_origins one = {1, listed};
	const struct upgrade_origins every = {1, all};

	(void)state;
	assert_int_equal(status_of(WHOLE, "Origin: https://game.example\r\n", NULL), 101);
	assert_int_equal(status_of(WHOLE, "Origin: http://GAME.example\r\n", &one), 101);
	assert_int_equal(status_of(WHOLE, "Origin: https://other.example\r\n", NULL), 403);
	assert_int_equal(status_of(WHOLE, "Origin: https://other.example\r\n", &one), 101);
	assert_int_equal(status_of(WHOLE, "Origin: http://other.example\r\n", &one), 403);
	assert_int_equal(status_of(WHOLE, "Origin: null\r\n", &one), 403);
	assert_int_equal(status_of(WHOLE, "Origin: ://\r\n", &one), 403);
	assert_int_equal(status_of(WHOLE, "Origin:\r\n", &one), 403);
	assert_int_equal(status_of(WHOLE, "Origin: null\r\n", &every), 101);
}

/* Who asks, as our proxies at 10.0.0.0/8 tell it to us, who hear it from `address`; "" where that
 * is not to be believed. */
static const char *asker(const char *address, const char *headers)
{
	static struct peer_name found;
	struct sockaddr_in from = {.sin_family = AF_INET};
	struct peer_name peer;
	struct prefix proxies;

	assert_true(prefix_parse("10.0.0.0/8", &proxies));
	assert_int_equal(inet_pton(AF_INET, address, &from.sin_addr), 1);
	peer_name_of((struct sockaddr *)&from, sizeof(from), &peer);
	parse(FIRST HOST, headers);
	if (!forwarded_peer(&request, &peer, &proxies, 1, &found)) {
		assert_string_equal(found.text, peer.text);
		return "";
	}
	return found.group;
}

static void who_asks_is_the_last_that_is_no_proxy(void **state)
{
	(void)state;
	assert_string_equal(asker("192.0.2.1", ""), "192.0.2.1");
	assert_string_equal(asker("192.0.2.1", "X-Forwarded-For: 192.0.2.9\r\n"), "");
	assert_string_equal(asker("10.0.0.1", ""), "10.0.0.1");
	assert_string_equal(asker("10.0.0.1", "X-Forwarded-For: 192.0.2.9\r\n"), "192.0.2.9");
	assert_string_equal(asker("10.0.0.1", "x-forwarded-for: 198.51.100.1 , 192.0.2.9 \r\n"),
			"192.0.2.9");
	assert_string_equal(asker("10.0.0.1", "X-Forwarded-For: 192.0.2.9,10.0.0.2, 10.0.0.3\r\n"),
			"192.0.2.9");
	assert_string_equal(asker("10.0.0.1", "X-Forwarded-For: 198.51.100.1\r\n"
					      "X-Forwarded-For: 192.0.2.9\r\n"),
			"192.0.2.9");
	assert_string_equal(asker("10.0.0.1", "X-Forwarded-For: 2001:db8::1\r\n"), "2001:db8::/64");
	assert_string_equal(asker("10.0.0.1", "X-Forwarded-For: 10.0.0.2\r\n"), "");
	assert_string_equal(asker("10.0.0.1", "X-Forwarded-For: 192.0.2.9,\r\n"), "");
	assert_string_equal(asker("10.0.0.1", "X-Forwarded-For: 192.0.2.9, unknown\r\n"), "");
	assert_string_equal(asker("10.0.0.1", "X-Forwarded-For: 192.0.2.9:443\r\n"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(the_key_is_answered_by_its_hash),
			cmocka_unit_test(all_of_the_handshake_has_to_be_there),
			cmocka_unit_test(a_page_is_from_the_same_host_or_from_one_that_is_listed),
			cmocka_unit_test(who_asks_is_the_last_that_is_no_proxy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
