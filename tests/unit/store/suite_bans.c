#include "tests/unit/store/suite_bans.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/store/suite.h"

struct loaded {
	bool answered;
	char text[256];
};

/* "WHOM MADE UNTIL WHY;" for each. */
static void note_bans(void *arg, enum store_found found, size_t count, const struct store_ban *bans)
{
	struct loaded *loaded = arg;
	size_t used = 0;

	assert_int_equal(found, STORE_FOUND);
	loaded->answered = true;
	for (size_t i = 0; i < count; i++) {
		used += (size_t)snprintf(loaded->text + used, sizeof(loaded->text) - used,
				"%s %d %d %s;", bans[i].whom, (int)bans[i].made_ms,
				(int)bans[i].until_ms, bans[i].why);
	}
}

static void expect_bans(struct suite *suite, const char *expected)
{
	struct loaded loaded = {0};

	suite->store->ops->load_bans(suite->store, note_bans, &loaded);
	while (!loaded.answered) {
		suite->deliver(suite->store);
	}
	assert_string_equal(loaded.text, expected);
}

static struct store_ban_change ban(const char *whom, int64_t until_ms, const char *why)
{
	return (struct store_ban_change){
			.ban = {.whom = whom, .made_ms = 5, .until_ms = until_ms, .why = why}};
}

static struct store_ban_change lifted(const char *whom)
{
	return (struct store_ban_change){.ban = {.whom = whom, .why = ""}, .lifts = true};
}

static void commit(struct suite *suite, size_t count, const struct store_ban_change *changes)
{
	const struct store_batch batch = {.ban_count = count, .bans = changes};

	assert_int_equal(suite_commit(suite, &batch), STORE_STORED);
}

void bans_come_back_as_they_were_given_the_oldest_first(void **state)
{
	const struct store_ban_change two[] = {
			ban("troll", 7, "rude; and \"loud\""), ban("10.0.0.0/8", 0, "")};
	const struct store_ban_change third = ban("ala", 0, "za\xc5\xbc\xc3\xb3\xc5\x82\xc4\x87");

	expect_bans(*state, "");
	commit(*state, 2, two);
	commit(*state, 1, &third);
	expect_bans(*state, "troll 5 7 rude; and \"loud\";10.0.0.0/8 5 0 ;"
			    "ala 5 0 za\xc5\xbc\xc3\xb3\xc5\x82\xc4\x87;");
}

void a_ban_for_the_same_takes_the_place_of_the_one_before(void **state)
{
	const struct store_ban_change first[] = {ban("troll", 7, "once"), ban("ala", 0, "")};
	const struct store_ban_change again = ban("troll", 0, "twice");

	commit(*state, 2, first);
	commit(*state, 1, &again);
	expect_bans(*state, "ala 5 0 ;troll 5 0 twice;");
}

void a_ban_that_is_taken_back_is_gone_and_it_may_be_done_twice(void **state)
{
	const struct store_ban_change first = ban("troll", 7, "once");
	const struct store_ban_change both[] = {lifted("troll"), ban("Troll", 9, "anew")};

	commit(*state, 1, &first);
	commit(*state, 2, both);
	commit(*state, 1, both);
	expect_bans(*state, "Troll 5 9 anew;");
}

void a_ban_beside_a_change_that_does_not_fit_is_not_stored(void **state)
{
	struct suite *suite = *state;
	const struct store_ban_change change = ban("troll", 7, "");
	struct store_player_change player = suite_player_of(1, 2, "ala", 'a');
	const struct store_batch batch = {
			.player_count = 1, .players = &player, .ban_count = 1, .bans = &change};

	assert_int_equal(suite_commit(suite, &batch), STORE_CONFLICT);
	bytes_unref(player.player.record);
	expect_bans(suite, "");
}
