#include "server/ops/prefix_set.h"

#include "tests/unit/game/cmocka_all.h"
#include "tests/unit/game/random.h"

static struct prefix block(const char *text)
{
	struct prefix prefix = {0};

	assert_true(prefix_parse(text, &prefix));
	return prefix;
}

static const char *put(struct prefix_set *set, const char *text, char *value)
{
	const struct prefix prefix = block(text);

	return prefix_set_put(set, &prefix, value);
}

static const char *find(const struct prefix_set *set, const char *address)
{
	const struct prefix prefix = block(address);
	const char *found = prefix_set_find(set, prefix.bytes);

	return found == NULL ? "" : found;
}

static void the_narrowest_block_that_holds_an_address_is_found(void **state)
{
	struct prefix_set set = {0};
	char wide[] = "wide";
	char narrow[] = "narrow";
	char one[] = "one";
	char six[] = "six";

	(void)state;
	assert_string_equal(find(&set, "10.1.2.3"), "");
	assert_null(put(&set, "10.1.0.0/16", narrow));
	assert_null(put(&set, "10.0.0.0/8", wide));
	assert_null(put(&set, "10.1.2.3", one));
	assert_null(put(&set, "2001:db8::/32", six));
	assert_string_equal(find(&set, "10.1.2.3"), "one");
	assert_string_equal(find(&set, "10.1.2.2"), "narrow");
	assert_string_equal(find(&set, "10.1.2.4"), "narrow");
	assert_string_equal(find(&set, "10.0.255.255"), "wide");
	assert_string_equal(find(&set, "10.2.0.0"), "wide");
	assert_string_equal(find(&set, "9.255.255.255"), "");
	assert_string_equal(find(&set, "11.0.0.0"), "");
	assert_string_equal(find(&set, "2001:db8:ffff::"), "six");
	assert_string_equal(find(&set, "2001:db9::"), "");
	prefix_set_fini(&set);
}

static void blocks_of_ipv4_stand_amid_one_of_ipv6_and_not_in_it(void **state)
{
	struct prefix_set set = {0};
	char six[] = "six";
	char four[] = "four";

	(void)state;
	put(&set, "::/0", six);
	assert_string_equal(find(&set, "10.1.2.3"), "");
	put(&set, "10.0.0.0/8", four);
	assert_string_equal(find(&set, "10.1.2.3"), "four");
	assert_string_equal(find(&set, "11.1.2.3"), "");
	assert_string_equal(find(&set, "::1"), "six");
	assert_string_equal(find(&set, "2001:db8::"), "six");
	prefix_set_fini(&set);
}

static void what_is_put_in_the_same_place_takes_it_over(void **state)
{
	struct prefix_set set = {0};
	const struct prefix prefix = block("10.0.0.0/8");
	char first[] = "first";
	char second[] = "second";

	(void)state;
	assert_null(put(&set, "10.0.0.0/8", first));
	assert_ptr_equal(put(&set, "::ffff:10.0.0.0/104", second), first);
	assert_int_equal(set.count, 1);
	assert_ptr_equal(prefix_set_get(&set, &prefix), second);
	assert_ptr_equal(prefix_set_remove(&set, &prefix), second);
	assert_null(prefix_set_remove(&set, &prefix));
	assert_null(prefix_set_get(&set, &prefix));
	assert_string_equal(find(&set, "10.1.2.3"), "");
	prefix_set_fini(&set);
}

/* Few bits that differ, so that many lie in many. */
static struct prefix random_block(uint64_t *random)
{
	struct prefix prefix = {.bits = (unsigned int)random_below(random, 13) + 60};

	for (unsigned int bit = 60; bit < prefix.bits; bit++) {
		if (random_below(random, 2) != 0) {
			prefix.bytes[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
		}
	}
	return prefix;
}

static const struct prefix *slow_find(
		const struct prefix *blocks, const bool *there, size_t count, const uint8_t *bytes)
{
	const struct prefix *best = NULL;

	for (size_t i = 0; i < count; i++) {
		if (there[i] && prefix_holds(&blocks[i], bytes) &&
				(best == NULL || blocks[i].bits > best->bits)) {
			best = &blocks[i];
		}
	}
	return best;
}

#define BLOCKS 200

static void it_finds_what_looking_at_all_finds(void **state)
{
	static struct prefix blocks[BLOCKS];
	static bool there[BLOCKS];
	struct prefix_set set = {0};
	uint64_t random = random_seed();

	(void)state;
	for (int step = 0; step < 5000; step++) {
		size_t place = (size_t)random_below(&random, BLOCKS);
		const struct prefix looked = random_block(&random);

		if (there[place]) {
			assert_ptr_equal(prefix_set_remove(&set, &blocks[place]), &blocks[place]);
			there[place] = false;
		} else {
			const struct prefix prefix = random_block(&random);
			if (prefix_set_get(&set, &prefix) == NULL) {
				blocks[place] = prefix;
				there[place] = true;
				prefix_set_put(&set, &blocks[place], &blocks[place]);
			}
		}
		assert_ptr_equal(prefix_set_find(&set, looked.bytes),
				slow_find(blocks, there, BLOCKS, looked.bytes));
	}
	prefix_set_fini(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(the_narrowest_block_that_holds_an_address_is_found),
			cmocka_unit_test(blocks_of_ipv4_stand_amid_one_of_ipv6_and_not_in_it),
			cmocka_unit_test(what_is_put_in_the_same_place_takes_it_over),
			cmocka_unit_test(it_finds_what_looking_at_all_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
