/* Ratings by Glicko-2. */
#include "server/game/rating.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/game/cmocka_all.h"
#include "tests/unit/game/random.h"

#define DAY 20000

static struct rating rated(double points, double deviation)
{
	struct rating rating;

	rating_start(&rating);
	rating.milli = llround(points * 1000);
	rating.deviation_milli = llround(deviation * 1000);
	rating.day = DAY;
	return rating;
}

/* Glickman 2013, the worked example, which rounds on its way: 1464.06, 151.52, 0.05999. */
static void the_papers_example_comes_out_as_printed(void **unused)
{
	static const struct rating_opponent opponents[] = {
			{1400000, 30000, 1}, {1550000, 100000, 0}, {1700000, 300000, 0}};
	struct rating rating = rated(1500, 200);
	struct rating after;

	(void)unused;
	rating_update(&rating, opponents, 3, true, &after);
	assert_in_range(after.milli, 1464050, 1464070);
	assert_int_equal(lround((double)after.deviation_milli / 10), 15152);
	assert_in_range(after.volatility_nano, 59990000, 59999999);
}

static void what_one_wins_the_other_loses_between_equals(void **unused)
{
	struct rating x;
	struct rating o;
	struct rating after_x;
	struct rating after_o;

	(void)unused;
	rating_start(&x);
	rating_start(&o);
	rating_game(&x, &o, 2, DAY, &after_x);
	rating_game(&o, &x, -2, DAY, &after_o);
	assert_true(after_x.milli > RATING_START_MILLI);
	assert_int_equal(after_x.milli - RATING_START_MILLI, RATING_START_MILLI - after_o.milli);
	assert_int_equal(after_x.deviation_milli, after_o.deviation_milli);
	assert_true(after_x.deviation_milli < RATING_DEVIATION_MAX_MILLI);
	assert_int_equal(after_x.day, DAY);
}

static int64_t gain(int half_points_ahead)
{
	struct rating own = rated(1500, 100);
	struct rating other = rated(1500, 100);
	struct rating after;

	rating_game(&own, &other, half_points_ahead, DAY, &after);
	return after.milli - own.milli;
}

static void half_a_point_weighs_half(void **unused)
{
	(void)unused;
	assert_int_equal(gain(0), 0);
	assert_true(llabs(gain(2) - 2 * gain(1)) <= 20);
	assert_int_equal(gain(1), -gain(-1));
	/* Beyond a whole point nothing is added. */
	assert_int_equal(gain(2), gain(3));
	assert_int_equal(gain(-2), gain(-4));
}

static void the_deviation_grows_with_idle_days_up_to_a_newcomers(void **unused)
{
	struct rating rating = rated(1700, 50);
	struct rating later;
	int64_t before = rating.deviation_milli;

	(void)unused;
	rating_age(&rating, DAY, &later);
	assert_int_equal(later.deviation_milli, before);
	rating_age(&rating, DAY - 5, &later);
	assert_int_equal(later.deviation_milli, before);
	for (int64_t days = 1; days <= 100; days++) {
		double expected = sqrt(50 * 50 + (double)days * pow(0.06 * 173.7178, 2));
		rating_age(&rating, DAY + days, &later);
		assert_int_equal(later.deviation_milli, llround(expected * 1000));
		assert_true(later.deviation_milli > before);
		assert_int_equal(later.milli, rating.milli);
		before = later.deviation_milli;
	}
	rating_age(&rating, DAY + 1000000, &later);
	assert_int_equal(later.deviation_milli, RATING_DEVIATION_MAX_MILLI);
}

static void a_day_counts_once_however_many_games_it_has(void **unused)
{
	struct rating own = rated(1500, 60);
	struct rating other = rated(1500, 60);
	struct rating same_day;
	struct rating next_day;
	struct rating earlier;

	(void)unused;
	rating_game(&own, &other, 1, DAY, &same_day);
	rating_game(&own, &other, 1, DAY + 1, &next_day);
	assert_true(same_day.deviation_milli < own.deviation_milli);
	assert_true(next_day.deviation_milli > same_day.deviation_milli);
	assert_int_equal(next_day.day, DAY + 1);
	/* A clock that was set back takes nothing away. */
	rating_game(&own, &other, 1, DAY - 3, &earlier);
	assert_int_equal(earlier.deviation_milli, same_day.deviation_milli);
	assert_int_equal(earlier.day, DAY);
}

/* Many games in which the weaker one always wins: numbers stay numbers. */
static void nothing_runs_away(void **unused)
{
	struct rating a;
	struct rating b;

	(void)unused;
	rating_start(&a);
	rating_start(&b);
	for (int i = 0; i < 20000; i++) {
		struct rating before = a;
		int ahead = a.milli <= b.milli ? 4 : -4;
		rating_game(&a, &b, ahead, DAY + i / 7, &a);
		rating_game(&b, &before, -ahead, DAY + i / 7, &b);
		assert_true(a.milli > 0 && a.milli < 3000000);
		assert_true(a.deviation_milli > 0 &&
				a.deviation_milli <= RATING_DEVIATION_MAX_MILLI);
		assert_true(a.volatility_nano > 0 && a.volatility_nano < 1000000000);
	}
}

/* A population. */

#define PLAYERS 1000
#define GAMES 50000

struct person {
	double strength;
	struct rating rating;
	int place[2]; /* by strength, by rating */
};

static double uniform(uint64_t *random)
{
	return ((double)(random_next(random) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *random)
{
	return sqrt(-2 * log(uniform(random))) * cos(2 * 3.14159265358979 * uniform(random));
}

static int by_strength(const void *a, const void *b)
{
	const struct person *one = a;
	const struct person *other = b;

	return (one->strength > other->strength) - (one->strength < other->strength);
}

static int by_rating(const void *a, const void *b)
{
	const struct person *one = a;
	const struct person *other = b;

	return (one->rating.milli > other->rating.milli) -
	       (one->rating.milli < other->rating.milli);
}

static double spearman(struct person *people)
{
	double sum = 0;
	double n = PLAYERS;

	qsort(people, PLAYERS, sizeof(*people), by_strength);
	for (int i = 0; i < PLAYERS; i++) {
		people[i].place[0] = i;
	}
	qsort(people, PLAYERS, sizeof(*people), by_rating);
	for (int i = 0; i < PLAYERS; i++) {
		double difference = people[i].place[0] - i;
		sum += difference * difference;
	}
	return 1 - 6 * sum / (n * (n * n - 1));
}

static void ratings_find_out_who_is_stronger(void **unused)
{
	static struct person people[PLAYERS];
	uint64_t random = random_seed();

	(void)unused;
	for (int i = 0; i < PLAYERS; i++) {
		people[i].strength = 1500 + 200 * normal(&random);
		rating_start(&people[i].rating);
	}
	for (int i = 0; i < GAMES; i++) {
		struct person *x = &people[random_below(&random, PLAYERS)];
		struct person *o = &people[random_below(&random, PLAYERS)];
		if (x == o) {
			continue;
		}
		double expected = 1 / (1 + pow(10, (o->strength - x->strength) / 400));
		int ahead = uniform(&random) < expected ? 2 : -2;
		struct rating before = x->rating;
		rating_game(&x->rating, &o->rating, ahead, DAY + i / 500, &x->rating);
		rating_game(&o->rating, &before, -ahead, DAY + i / 500, &o->rating);
	}
	double correlation = spearman(people);
	printf("# Spearman's correlation of rating and strength: %.3f\n", correlation);
	assert_true(correlation >= 0.95);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(the_papers_example_comes_out_as_printed),
			cmocka_unit_test(what_one_wins_the_other_loses_between_equals),
			cmocka_unit_test(half_a_point_weighs_half),
			cmocka_unit_test(the_deviation_grows_with_idle_days_up_to_a_newcomers),
			cmocka_unit_test(a_day_counts_once_however_many_games_it_has),
			cmocka_unit_test(nothing_runs_away),
			cmocka_unit_test(ratings_find_out_who_is_stronger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
