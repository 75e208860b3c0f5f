#include "server/game/rating.h"

#include <assert.h>
#include <math.h>

/* The constant of the system, tau: how fast volatilities change. The paper says 0.3 to 1.2. */
#define TAU 0.5
#define VOLATILITY_START_NANO 60000000
/* When the iteration for the volatility has come near enough; epsilon in the paper. */
#define NEAR_ENOUGH 0.000001
/* Points of a rating in one of the paper's scale. */
#define SCALE 173.7178
#define PI 3.14159265358979323846

/* Step 2: the paper's scale. */

static double mean_of(int64_t milli)
{
	return (double)(milli - RATING_START_MILLI) / 1000 / SCALE;
}

static double deviation_of(int64_t milli)
{
	return (double)milli / 1000 / SCALE;
}

static int64_t milli_of_deviation(double deviation)
{
	int64_t milli = llround(deviation * SCALE * 1000);

	if (milli < 1) {
		return 1;
	}
	return milli < RATING_DEVIATION_MAX_MILLI ? milli : RATING_DEVIATION_MAX_MILLI;
}

/* Steps 3 and 4: what the games tell. */

/* How much an opponent tells whose own rating is known no better: the paper's g. */
static double weight_of(double deviation)
{
	return 1 / sqrt(1 + 3 * deviation * deviation / (PI * PI));
}

struct evidence {
	double information; /* 1 / v */
	double surprise;    /* the sum of g (s - E) */
};

static struct evidence weigh(double mean, const struct rating_opponent *opponents, size_t count)
{
	struct evidence evidence = {0, 0};

	for (size_t i = 0; i < count; i++) {
		double weight = weight_of(deviation_of(opponents[i].deviation_milli));
		double distance = mean - mean_of(opponents[i].milli);
		double expected = 1 / (1 + exp(-weight * distance));

		evidence.information += weight * weight * expected * (1 - expected);
		evidence.surprise += weight * (opponents[i].score - expected);
	}
	return evidence;
}

/* Step 5: the volatility, by the Illinois algorithm. */

struct volatility_problem {
	double a; /* ln sigma^2 */
	double deviation_squared;
	double variance; /* v */
	double change_squared;
};

static double volatility_error(const struct volatility_problem *problem, double x)
{
	double e = exp(x);
	double spread = problem->deviation_squared + problem->variance + e;

	return e * (problem->change_squared - spread) / (2 * spread * spread) -
	       (x - problem->a) / (TAU * TAU);
}

/* The other end of an interval that has the solution in it. */
static double volatility_bound(const struct volatility_problem *problem)
{
	double excess = problem->change_squared - problem->deviation_squared - problem->variance;
	double bound = problem->a - TAU;

	if (excess > 0) {
		return log(excess);
	}
	while (volatility_error(problem, bound) < 0) {
		bound -= TAU;
	}
	return bound;
}

static double volatility_solve(const struct volatility_problem *problem)
{
	double a = problem->a;
	double b = volatility_bound(problem);
	double error_a = volatility_error(problem, a);
	double error_b = volatility_error(problem, b);

	while (fabs(b - a) > NEAR_ENOUGH) {
		double c = a + (a - b) * error_a / (error_b - error_a);
		double error_c = volatility_error(problem, c);

		if (error_c * error_b <= 0) {
			a = b;
			error_a = error_b;
		} else {
			error_a /= 2;
		}
		b = c;
		error_b = error_c;
	}
	return exp(a / 2);
}

void rating_start(struct rating *ret)
{
	*ret = (struct rating){.milli = RATING_START_MILLI,
			.deviation_milli = RATING_DEVIATION_MAX_MILLI,
			.volatility_nano = VOLATILITY_START_NANO};
}

/* Step 6, for so many periods. */
static double grow(double deviation, double volatility, int64_t periods)
{
	return sqrt(deviation * deviation + (double)periods * volatility * volatility);
}

static void age(const struct rating *rating, int64_t days, struct rating *ret)
{
	double volatility = (double)rating->volatility_nano / 1e9;

	*ret = *rating;
	if (days > 0) {
		ret->deviation_milli = milli_of_deviation(
				grow(deviation_of(rating->deviation_milli), volatility, days));
	}
}

void rating_age(const struct rating *rating, int64_t day, struct rating *ret)
{
	age(rating, rating->day == 0 ? 0 : day - rating->day, ret);
}

int64_t rating_settled_until(const struct rating *rating)
{
	int64_t below = RATING_SETTLED_BELOW_MILLI;
	double most = deviation_of(below);
	double now = deviation_of(rating->deviation_milli);
	double volatility = (double)rating->volatility_nano / 1e9;
	struct rating then;

	if (rating->day == 0 || rating->deviation_milli >= below) {
		return 0;
	}
	int64_t days = (int64_t)((most * most - now * now) / (volatility * volatility));
	age(rating, days, &then);
	while (then.deviation_milli >= below) {
		/* Rounded up to it. */
		days--;
		age(rating, days, &then);
	}
	return rating->day + days;
}

void rating_update(const struct rating *rating, const struct rating_opponent *opponents,
		size_t count, bool ends_period, struct rating *ret)
{
	double mean = mean_of(rating->milli);
	double deviation = deviation_of(rating->deviation_milli);
	double volatility = (double)rating->volatility_nano / 1e9;
	struct evidence evidence = weigh(mean, opponents, count);

	assert(count > 0);
	double change = evidence.surprise / evidence.information;
	const struct volatility_problem problem = {
			.a = log(volatility * volatility),
			.deviation_squared = deviation * deviation,
			.variance = 1 / evidence.information,
			.change_squared = change * change,
	};
	volatility = volatility_solve(&problem);
	/* Steps 6 to 8. */
	deviation = grow(deviation, volatility, ends_period ? 1 : 0);
	deviation = 1 / sqrt(1 / (deviation * deviation) + evidence.information);
	mean += deviation * deviation * evidence.surprise;
	*ret = (struct rating){.milli = RATING_START_MILLI + llround(mean * SCALE * 1000),
			.deviation_milli = milli_of_deviation(deviation),
			.volatility_nano = llround(volatility * 1e9),
			.day = rating->day};
}

static double score_of(int half_points_ahead)
{
	double score = 0.5 + half_points_ahead / 4.0;

	if (score < 0) {
		return 0;
	}
	return score < 1 ? score : 1;
}

void rating_game(const struct rating *own, const struct rating *other, int half_points_ahead,
		int64_t day, struct rating *ret)
{
	bool begins_day = own->day == 0 || day > own->day;
	struct rating before;
	struct rating against;

	/* The day of the game itself grows with the game, as the paper has it. */
	rating_age(own, day - 1, &before);
	rating_age(other, day, &against);
	const struct rating_opponent opponent = {.milli = against.milli,
			.deviation_milli = against.deviation_milli,
			.score = score_of(half_points_ahead)};
	rating_update(&before, &opponent, 1, begins_day, ret);
	ret->day = begins_day ? day : own->day;
}
