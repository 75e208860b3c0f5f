/* A line as programs write it is read in one go, any other by the thorough decoder: both must come
 * to the same. An unknown member in front, which is ignored, makes any line one for the latter. */
#include "asking.h"
#include "tests/unit/game/random.h"

#define ROUNDS 60000
#define LINE_SIZE 400

static uint64_t seed;

static size_t below(size_t limit)
{
	return (size_t)random_below(&seed, (int)limit);
}

static const char *const lines[] = {
		"{\"type\":\"move\",\"squares\":[1,5]}",
		"{\"type\": \"move\", \"squares\": [1, 5], \"id\": 7}",
		"{\"type\":\"move\",\"squares\":[9],\"room\":\"K7M2Q\",\"move\":3,\"id\":\"a\"}",
		"{\"type\":\"collapse\",\"square\":5,\"mark\":\"O4\"}",
		"{\"type\":\"create\",\"side\":\"X\",\"private\":true,\"title\":\"A title\"}",
		"{\"type\":\"create\",\"opponent\":\"ola\",\"side\":\"random\"}",
		"{\"type\":\"hello\",\"name\":\"ala\",\"token\":\"abcdefghijklmnopqrstuv\"}",
		"{\"type\":\"lobby\",\"status\":\"over\",\"limit\":100,\"follow\":false}",
		"{\"type\":\"draw\",\"accept\":true}",
		"{\"type\":\"say\",\"text\":\"good game\"}",
		"{\"type\":\"watch\",\"room\":\"k7m2q\",\"since\":12}",
		"{\"type\":\"ping\",\"id\":999999999999999999}",
		"{\"type\":\"analyse\",\"record\":\"1:X(1-2)\",\"steps\":true}",
		"{\"type\":\"analyse\",\"actions\":[{\"squares\":[1,5]},{\"square\":5}]}",
};

static const char *const pieces[] = {"{", "}", "[", "]", ",", ":", "\"", "\\", "\\n", " ", "\t",
		"0", "1", "9", "-", "-0", "00", ".5", "e1", "null", "true", "false", "\x7f", "\x01",
		"X", "move", "\"id\":1,", "\"type\":\"ping\",", "\"square\":3,", "\"room\":null,",
		"9223372036854775807", "9223372036854775808", "\"unknown\":{\"a\":[1]},",
		"\"clock\":\"3+2\","};
#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

/* Put a piece in place of up to three characters somewhere. */
static void spoil(char *line)
{
	const char *piece = pieces[below(PIECES)];
	const size_t length = strlen(line);
	const size_t at = below(length + 1);
	const size_t gone = at + 3 < length ? below(4) : 0;

	if (length + strlen(piece) < LINE_SIZE) {
		memmove(line + at + strlen(piece), line + at + gone, length - at - gone + 1);
		memcpy(line + at, piece, strlen(piece));
	}
}

static void assert_same_errors(const struct error *one, const struct error *other)
{
	assert_int_equal(one->code, other->code);
	assert_string_equal(one->to, other->to);
	assert_string_equal(one->field, other->field);
	assert_string_equal(one->message, other->message);
	assert_int_equal(one->re.kind, other->re.kind);
}

static void assert_same_requests(const struct request *one, const struct request *other)
{
	struct bytes *first = encode_request(one);
	struct bytes *second = encode_request(other);

	assert_int_equal(one->has, other->has);
	assert_int_equal(first->length, second->length);
	assert_memory_equal(first->data, second->data, first->length);
	bytes_unref(first);
	bytes_unref(second);
}

/* True if it was a request. */
static bool compare_ways(const char *line)
{
	char thorough[LINE_SIZE + 16];
	struct request requests[2];
	struct error errors[2];
	bool fine;

	snprintf(thorough, sizeof(thorough), "{\"zzz\":0,%s", line + 1);
	fine = decode_request(line, strlen(line), &requests[0], &errors[0]);
	if (fine != decode_request(thorough, strlen(thorough), &requests[1], &errors[1])) {
		print_error("%s\n", line);
		fail();
	}
	if (fine) {
		assert_same_requests(&requests[0], &requests[1]);
	} else {
		assert_same_errors(&errors[0], &errors[1]);
	}
	return fine;
}

static void a_line_means_the_same_in_whichever_way_it_is_read(void **state)
{
	size_t fine = 0;

	(void)state;
	seed = random_seed();
	for (size_t i = 0; i < ROUNDS; i++) {
		char line[LINE_SIZE];

		snprintf(line, sizeof(line), "%s", lines[below(sizeof(lines) / sizeof(lines[0]))]);
		for (size_t spoilt = below(3); spoilt > 0; spoilt--) {
			spoil(line);
		}
		if (line[0] == '{' && line[1] != '}') {
			fine += compare_ways(line);
		}
	}
	/* Both kinds were met, and often. */
	assert_in_range(fine, ROUNDS / 4, ROUNDS - ROUNDS / 4);
}

static void a_value_that_breaks_off_is_no_other_value(void **state)
{
	(void)state;
	assert_refused("{\"type\":\"ping\",\"id\":\"9999\t999}", "||bad_json|");
	assert_refused("{\"type\":\"ping\",\"id\":\"x\\999}", "||bad_json|");
	assert_refused("{\"type\":\"collapse\",\"square\":00\"3\"}", "||bad_json|");
	assert_refused("{\"type\":\"who\",\"limit\":05}", "||bad_json|");
}

static void members_of_one_name_are_refused_in_any_place(void **state)
{
	(void)state;
	assert_refused("{\"type\":\"ping\",\"id\":1,\"id\":2}", "||bad_json|");
	assert_refused("{\"type\":\"move\",\"squares\":[1,2],\"squares\":[1,2]}", "||bad_json|");
	assert_refused("{\"type\":\"ping\",\"type\":\"ping\"}", "||bad_json|");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(a_line_means_the_same_in_whichever_way_it_is_read),
			cmocka_unit_test(a_value_that_breaks_off_is_no_other_value),
			cmocka_unit_test(members_of_one_name_are_refused_in_any_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
