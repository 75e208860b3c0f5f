#include <string.h>

#include "server/ops/address.h"
#include "tests/unit/game/cmocka_all.h"

static void expect_split(const char *text, const char *host, const char *port)
{
	struct address address;

	assert_true(address_split(text, &address));
	assert_string_equal(address.host, host);
	assert_string_equal(address.port, port);
}

static void addresses_are_split_at_the_last_colon(void **state)
{
	(void)state;
	expect_split("127.0.0.1:4242", "127.0.0.1", "4242");
	expect_split("localhost:0", "localhost", "0");
	expect_split("[::1]:65535", "::1", "65535");
	expect_split("[fe80::1%lo]:1", "fe80::1%lo", "1");
	expect_split("*:80", "0.0.0.0", "80");
}

static void what_is_no_address_is_refused(void **state)
{
	static const char *const bad[] = {"", ":", ":1", "a", "a:", "a:x", "a:-1", "a:65536",
			"a:123456", "a: 1", "::1:4242", "[::1]", "[]:1", "[::1:4242", "::1]:4242"};
	struct address address;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(address_split(bad[i], &address));
	}
}

static void a_host_has_255_bytes_at_most(void **state)
{
	char text[300];
	struct address address;

	(void)state;
	memset(text, 'a', sizeof(text));
	strcpy(text + 255, ":1");
	assert_true(address_split(text, &address));
	text[255] = 'a';
	strcpy(text + 256, ":1");
	assert_false(address_split(text, &address));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(addresses_are_split_at_the_last_colon),
			cmocka_unit_test(what_is_no_address_is_refused),
			cmocka_unit_test(a_host_has_255_bytes_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
