/* Who is banned stays out, by whatever door he comes. */
#include <string.h>

#include "server/play/bans.h"
#include "tests/world/world.h"

#define ALA_TOKEN "ala-ala-ala-ala-ala-ala"

/* A banned address hears why. */
static void expect_banned(struct world *world, const char *address, const char *why)
{
	struct client *client = client_connect_from(world, address);
	const struct error *error = client_error(client, CODE_NOT_ALLOWED);

	assert_non_null(strstr(error->message, why));
	assert_true(client->was_closed);
}

static void expect_let_in(struct world *world, const char *address)
{
	assert_non_null(client_connect_from(world, address)->session);
}

static void a_ban_is_stored_before_anybody_hears_of_it(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *ala = client_connect_as(world, "ala", ALA_TOKEN);

	ask_unheard(door, ala, "ban ala");
	client_ok(door, REQUEST_BAN);
	client_bye(ala, BYE_KICKED);
}

/* Whether it is there or not: it is asked for until it is. */
static void a_ban_of_which_the_store_does_not_know_is_stored_in_the_end(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);

	for (int kept = 0; kept < 2; kept++) {
		world_store_forgets(world, kept != 0);
		client_say(door, "ban 192.0.2.%d", 50 + kept);
		world_settle(world);
		client_nothing(door);
		world_store_works(world);
		world_advance(world, 1000);
		client_ok(door, REQUEST_BAN);
	}
	world_restart(world);
	expect_banned(world, "192.0.2.50", "banned");
	expect_banned(world, "192.0.2.51", "banned");
}

static void addresses_and_blocks_are_kept_out_the_narrowest_saying_why(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *inside = client_connect_from(world, "2001:db8:1::7");

	assert_int_equal(ask(door, "ban 2001:db8::/32 why=a block")->connections, 1);
	client_bye(inside, BYE_KICKED);
	ask(door, "ban 2001:db8:2::/48 why=a smaller one");
	ask(door, "ban 10.0.0.0/8");
	ask(door, "ban 192.0.2.7 why=an address");
	expect_banned(world, "2001:db8:ffff::1", "a block");
	expect_banned(world, "2001:db8:2::1", "a smaller one");
	expect_banned(world, "10.255.255.255", "This address is banned.");
	expect_banned(world, "::ffff:10.0.0.1", "banned");
	expect_banned(world, "192.0.2.7", "an address");
	expect_let_in(world, "2001:db9::1");
	expect_let_in(world, "11.0.0.0");
	expect_let_in(world, "192.0.2.8");
	ask(door, "unban 2001:db8:2::/48");
	expect_banned(world, "2001:db8:2::1", "a block");
	ask(door, "unban 2001:db8::/32");
	expect_let_in(world, "2001:db8:2::1");
	ask_refused(door, CODE_BAD_REQUEST, "unban 2001:db8::/32");
}

static void all_of_ipv6_can_be_kept_out_without_ipv4(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *four = client_connect_from(world, "11.1.2.3");
	struct client *six = client_connect_from(world, "2001:db8::1");

	assert_int_equal(ask(door, "ban ::/0 why=not yet")->connections, 1);
	client_bye(six, BYE_KICKED);
	assert_non_null(four->session);
	expect_let_in(world, "10.1.2.3");
	expect_banned(world, "2001:db8::2", "not yet");
}

static void a_banned_name_can_neither_come_back_nor_be_claimed(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *client = client_connect(world);

	client_connect_as(world, "ala", ALA_TOKEN);
	ask(door, "ban Ala 7d why=rude");
	ask(door, "ban troll");
	assert_non_null(strstr(ask_refused(client, CODE_NOT_ALLOWED, "hello ala token=" ALA_TOKEN)
					       ->message,
			"until 2027-"));
	assert_non_null(strstr(
			ask_refused(client, CODE_NOT_ALLOWED, "hello token=" ALA_TOKEN)->message,
			": rude"));
	ask_refused(client, CODE_NOT_ALLOWED, "hello ALA");
	ask_refused(client, CODE_NOT_ALLOWED, "hello Troll");
	ask(door, "unban ALA");
	assert_string_equal(ask(client, "hello token=" ALA_TOKEN)->name, "ala");
}

static void a_banned_name_does_not_come_in_by_asking_for_another_token(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *client = client_connect(world);

	client_connect_as(world, "ala", ALA_TOKEN);
	ask(door, "ban ala");
	ask_refused(client, CODE_NOT_ALLOWED, "hello token=" ALA_TOKEN " renew");
	ask_refused(client, CODE_NOT_ALLOWED, "hello ala token=" ALA_TOKEN " renew");
	ask(door, "unban ala");
	/* And his token is what it was. */
	assert_string_equal(ask(client, "hello token=" ALA_TOKEN)->name, "ala");
}

/* Each was asked for before the ban was stored, and is stored after it. */
static void who_comes_by_a_name_while_it_is_being_banned_goes_again(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *renews = client_connect(world);
	struct table table;
	char token[TOKEN_SIZE];

	client_drop(client_connect_as(world, "ala", ALA_TOKEN));
	table.x = client_connect_as(world, "ewa", NULL);
	table.o = client_connect(world);
	message_copy(token, sizeof(token), ask(table.o, "hello")->token);
	ask(table.o, "join %s", ask(table.x, "create X")->room);
	client_skip(table.x);
	client_skip(table.o);
	struct client *second = client_connect(world);
	ask(second, "hello token=%s", token);
	client_skip(second);
	say_at_once(door, "ban troll", table.o, "hello troll");
	client_error(table.o, CODE_NOT_ALLOWED);
	client_event(table.o, EVENT_SEATED);
	client_bye(table.o, BYE_KICKED);
	assert_true(second->was_closed);
	assert_string_equal(client_event(table.x, EVENT_SEATED)->seated.player, "troll");
	assert_false(client_event(table.x, EVENT_PRESENCE)->presence.online);
	say_at_once(door, "ban ala", renews, "hello token=" ALA_TOKEN " renew");
	client_ok(renews, REQUEST_HELLO);
	client_bye(renews, BYE_KICKED);
}

static void bans_last_over_a_restart_and_end_by_the_clock_also_while_no_server_runs(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);

	ask(door, "ban 10.0.0.0/8 1h why=an hour");
	ask(door, "ban 192.0.2.7");
	ask(door, "ban troll 2h");
	world_advance(world, 1800000);
	world_restart(world);
	expect_banned(world, "10.1.1.1", "an hour");
	world_advance(world, 1799999);
	expect_banned(world, "10.1.1.1", "an hour");
	world_advance(world, 1);
	expect_let_in(world, "10.1.1.1");
	world->now_ms += 7200000;
	world_restart(world);
	world_advance(world, 1000);
	door = client_connect_operator(world);
	const struct ok *ok = ask(door, "bans");
	assert_int_equal(ok->ban_count, 1);
	assert_string_equal(ok->bans[0].whom, "192.0.2.7");
	assert_false(ok->bans[0].has_until);
	ask(client_connect(world), "hello troll");
	/* What was over is not in the store any more either. */
	world_restart(world);
	assert_int_equal(ask(client_connect_operator(world), "bans")->ban_count, 1);
}

static void a_ban_said_again_is_the_new_one(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);

	ask(door, "ban troll 1h why=once");
	ask(door, "ban TROLL why=twice");
	for (int i = 0; i < 2; i++) {
		const struct ok *ok = ask(door, "bans");
		assert_int_equal(ok->ban_count, 1);
		assert_string_equal(ok->bans[0].whom, "TROLL");
		assert_string_equal(ok->bans[0].why, "twice");
		world_restart(world);
		door = client_connect_operator(world);
	}
	world_advance(world, 3600000);
	ask_refused(client_connect(world), CODE_NOT_ALLOWED, "hello troll");
}

/* Both were on their way at once, so neither found the other. */
static void bans_of_one_name_spelt_in_two_ways_are_one_ban(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	struct client *other = client_connect_operator(world);

	say_at_once(door, "ban troll", other, "ban TROLL");
	client_ok(door, REQUEST_BAN);
	client_ok(other, REQUEST_BAN);
	ask(door, "unban troll");
	world_restart(world);
	assert_int_equal(ask(client_connect_operator(world), "bans")->ban_count, 0);
	ask(client_connect(world), "hello troll");
}

/* The store does not know for a while whether it has forgotten the one that is over. */
static void a_ban_outlasts_the_end_of_the_one_before_it(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);

	ask(door, "ban troll 10s");
	world_store_forgets(world, false);
	world_advance(world, 10100);
	world_store_works(world);
	client_say(door, "ban troll");
	world_settle(world);
	world_advance(world, 1000);
	client_ok(door, REQUEST_BAN);
	world_restart(world);
	ask_refused(client_connect(world), CODE_NOT_ALLOWED, "hello troll");
}

static void bans_are_listed_page_by_page_and_are_not_without_number(void **state)
{
	struct world *world = *state;
	struct client *door = client_connect_operator(world);
	char after[CURSOR_SIZE] = "0";
	size_t count = 0;

	for (int i = 0; i < BANS_MAX; i++) {
		ask(door, "ban 10.1.%d.%d", i / 250, i % 250);
		client_clear(door);
	}
	ask_refused(door, CODE_NOT_ALLOWED, "ban 10.2.0.0");
	ask(door, "ban 10.1.0.0 why=it is there already");
	for (int page = 0; page < 3; page++) {
		const struct ok *ok = ask(door, "bans limit=40 after=%s", after);
		assert_int_equal(ok->ban_count, 40);
		assert_true((ok->carries & OK_NEXT) != 0);
		count += ok->ban_count;
		message_copy(after, sizeof(after), ok->next);
	}
	assert_int_equal(count, 120);
	ask_refused(door, CODE_BAD_REQUEST, "bans after=x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			WORLD_TEST(a_ban_is_stored_before_anybody_hears_of_it),
			WORLD_TEST(a_ban_of_which_the_store_does_not_know_is_stored_in_the_end),
			WORLD_TEST(addresses_and_blocks_are_kept_out_the_narrowest_saying_why),
			WORLD_TEST(all_of_ipv6_can_be_kept_out_without_ipv4),
			WORLD_TEST(a_banned_name_can_neither_come_back_nor_be_claimed),
			WORLD_TEST(a_banned_name_does_not_come_in_by_asking_for_another_token),
			WORLD_TEST(who_comes_by_a_name_while_it_is_being_banned_goes_again),
			WORLD_TEST(bans_last_over_a_restart_and_end_by_the_clock_also_while_no_server_runs),
			WORLD_TEST(a_ban_said_again_is_the_new_one),
			WORLD_TEST(bans_of_one_name_spelt_in_two_ways_are_one_ban),
			WORLD_TEST(a_ban_outlasts_the_end_of_the_one_before_it),
			WORLD_TEST(bans_are_listed_page_by_page_and_are_not_without_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
