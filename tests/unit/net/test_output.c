#include <errno.h>
#include <string.h>

#include "server/net/output.h"
#include "tests/unit/game/cmocka_all.h"

#define LINES (3 * OUTPUT_PIECES)
#define TAKEN_SIZE 65536

/* A transport that takes `at_a_time` bytes of each write, or fails. */
struct drain {
	struct transport transport; /* first: it is what output_write is given */
	size_t at_a_time;
	ssize_t failure; /* 0: none */
	size_t writes;
	size_t taken;
	char bytes[TAKEN_SIZE];
};

static ssize_t drain_write(struct transport *transport, struct iovec *pieces, size_t count)
{
	struct drain *drain = (struct drain *)transport;
	size_t left = drain->at_a_time;

	drain->writes++;
	if (drain->failure != 0) {
		return drain->failure;
	}
	for (size_t i = 0; i < count; i++) {
		const size_t length = pieces[i].iov_len < left ? pieces[i].iov_len : left;

		assert_true(drain->taken + length <= TAKEN_SIZE);
		memcpy(drain->bytes + drain->taken, pieces[i].iov_base, length);
		drain->taken += length;
		left -= length;
	}
	return (ssize_t)(drain->at_a_time - left);
}

static const struct transport_ops drain_ops = {.write = drain_write};

/* Lines of 1 to 97 bytes. */
static void make_lines(struct bytes *lines[LINES])
{
	char text[97];

	for (size_t i = 0; i < LINES; i++) {
		memset(text, 'a' + (int)(i % 26), sizeof(text));
		lines[i] = bytes_new(text, 1 + i * 7 % sizeof(text));
	}
}

/* What the drain has taken is those lines, and nobody else holds them any more. */
static void expect_taken(const struct drain *drain, struct bytes *lines[LINES])
{
	size_t at = 0;

	for (size_t i = 0; i < LINES; i++) {
		assert_memory_equal(drain->bytes + at, lines[i]->data, lines[i]->length);
		at += lines[i]->length;
		assert_int_equal(lines[i]->references, 1);
		bytes_unref(lines[i]);
	}
	assert_int_equal(drain->taken, at);
}

static void write_all(size_t at_a_time)
{
	static struct drain drain;
	struct bytes *lines[LINES];
	struct output output = {0};

	drain = (struct drain){.transport = {.ops = &drain_ops}, .at_a_time = at_a_time};
	make_lines(lines);
	for (size_t i = 0; i < LINES; i++) {
		output_add(&output, lines[i]);
		if (i % 5 == 0) {
			assert_int_equal(output_write(&output, &drain.transport), 0);
		}
	}
	while (output.queued > 0) {
		assert_int_equal(output_write(&output, &drain.transport), 0);
	}
	expect_taken(&drain, lines);
	output_fini(&output);
}

static void lines_go_out_in_order_however_little_is_taken(void **state)
{
	(void)state;
	write_all(1);
	write_all(13);
	write_all(100);
	write_all(TAKEN_SIZE);
}

static void what_is_not_taken_now_waits(void **state)
{
	static struct drain drain;
	struct output output = {0};
	struct bytes *line = bytes_new("hello\n", 6);

	(void)state;
	drain = (struct drain){.transport = {.ops = &drain_ops}, .failure = -EAGAIN};
	output_add(&output, line);
	assert_int_equal(output_write(&output, &drain.transport), 0);
	assert_int_equal(output.queued, 6);
	assert_int_equal(drain.writes, 1);
	output_fini(&output);
	assert_int_equal(line->references, 1);
	bytes_unref(line);
}

static void a_failure_is_returned_and_what_waits_can_be_dropped(void **state)
{
	static struct drain drain;
	struct output output = {0};
	struct bytes *line = bytes_new("hello\n", 6);

	(void)state;
	drain = (struct drain){.transport = {.ops = &drain_ops}, .failure = -EPIPE};
	output_add(&output, line);
	output_add(&output, line);
	assert_int_equal(output_write(&output, &drain.transport), -EPIPE);
	assert_int_equal(line->references, 3);
	output_drop(&output);
	assert_int_equal(output.queued, 0);
	assert_int_equal(line->references, 1);
	output_fini(&output);
	bytes_unref(line);
}

static void a_cut_keeps_what_was_begun_or_promised(void **state)
{
	static const struct {
		size_t taken;
		size_t promised;
		size_t kept; /* lines, of five of ten bytes */
	} cases[] = {{0, 0, 0}, {1, 0, 1}, {10, 0, 0}, {0, 1, 1}, {0, 10, 1}, {0, 11, 2}, {5, 5, 1},
			{5, 6, 2}, {10, 40, 4}, {0, 50, 5}};
	static struct drain drain;
	struct bytes *line = bytes_new("123456789\n", 10);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct output output = {0};

		drain.transport = (struct transport){.ops = &drain_ops};
		drain.at_a_time = cases[i].taken;
		for (int j = 0; j < 5; j++) {
			output_add(&output, line);
		}
		assert_int_equal(output_write(&output, &drain.transport), 0);
		drain.transport.promised = cases[i].promised;
		output_cut(&output, &drain.transport);
		assert_int_equal(output.count, cases[i].kept);
		assert_int_equal(output.queued, 10 * cases[i].kept - output.written);
		output_fini(&output);
	}
	assert_int_equal(line->references, 1);
	bytes_unref(line);
}

/* The same lines in frames: each with its head, and without its LF. */
static void write_frames(size_t at_a_time)
{
	static struct drain drain;
	static char wanted[TAKEN_SIZE];
	struct bytes *lines[LINES];
	struct output output = {.has_frames = true};
	size_t length = 0;

	drain = (struct drain){.transport = {.ops = &drain_ops}, .at_a_time = at_a_time};
	make_lines(lines);
	for (size_t i = 0; i < LINES; i++) {
		wanted[length++] = '\x81';
		wanted[length++] = (char)(lines[i]->length - 1);
		memcpy(wanted + length, lines[i]->data, lines[i]->length - 1);
		length += lines[i]->length - 1;
		output_add(&output, lines[i]);
		assert_int_equal(output.queued + drain.taken, length);
		if (i % 5 == 0) {
			assert_int_equal(output_write(&output, &drain.transport), 0);
		}
	}
	while (output.queued > 0) {
		assert_int_equal(output_write(&output, &drain.transport), 0);
	}
	assert_int_equal(drain.taken, length);
	assert_memory_equal(drain.bytes, wanted, length);
	for (size_t i = 0; i < LINES; i++) {
		assert_int_equal(lines[i]->references, 1);
		bytes_unref(lines[i]);
	}
	output_fini(&output);
}

static void frames_go_out_whole_however_little_is_taken(void **state)
{
	(void)state;
	write_frames(1);
	write_frames(3);
	write_frames(100);
	write_frames(TAKEN_SIZE);
}

/* Their heads have no room before them. */
static void long_lines_have_their_heads_too(void **state)
{
	static const size_t pieces_at_a_time[] = {1, 7, 30000, TAKEN_SIZE};
	static struct drain drain;
	static char text[31000];
	struct output output = {.has_frames = true};
	struct bytes *small = bytes_new("hi\n", 3);
	struct bytes *line;

	(void)state;
	memset(text, 'x', sizeof(text));
	line = bytes_new(text, sizeof(text));
	for (size_t i = 0; i < sizeof(pieces_at_a_time) / sizeof(pieces_at_a_time[0]); i++) {
		drain = (struct drain){
				.transport = {.ops = &drain_ops}, .at_a_time = pieces_at_a_time[i]};
		output_add(&output, small);
		output_add(&output, line);
		output_add(&output, line);
		while (output.count > 0) {
			assert_int_equal(output_write(&output, &drain.transport), 0);
		}
		assert_int_equal(drain.taken, 4 + 2 * (4 + sizeof(text) - 1));
		assert_memory_equal(drain.bytes, "\x81\x02hi\x81\x7e\x79\x17xx", 10);
		assert_memory_equal(
				drain.bytes + 4 + 4 + sizeof(text) - 1, "\x81\x7e\x79\x17xx", 6);
	}
	bytes_unref(line);
	bytes_unref(small);
	output_fini(&output);
}

static void lines_beyond_sixty_four_kib_have_longer_heads(void **state)
{
	static struct drain drain;
	static char text[65537];
	struct output output = {.has_frames = true};
	struct bytes *small = bytes_new("hi\n", 3);
	struct bytes *line;

	(void)state;
	memset(text, 'x', sizeof(text));
	line = bytes_new(text, sizeof(text));
	drain = (struct drain){.transport = {.ops = &drain_ops}, .at_a_time = 5};
	output_add(&output, line);
	output_add(&output, small);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(output_write(&output, &drain.transport), 0);
	}
	assert_memory_equal(drain.bytes, "\x81\x7f\0\0\0\0\0\1\0\0xxxxxxxxxx", 20);
	assert_int_equal(output.queued, 10 + 65536 - 20 + 4);
	drain.taken = 0;
	drain.at_a_time = TAKEN_SIZE - 20;
	assert_int_equal(output_write(&output, &drain.transport), 0);
	drain.taken = 0;
	drain.at_a_time = TAKEN_SIZE;
	assert_int_equal(output_write(&output, &drain.transport), 0);
	assert_int_equal(drain.taken, 10 + 4);
	assert_memory_equal(drain.bytes, "xxxxxxxxxx\x81\x02hi", 14);
	assert_int_equal(output.count, 0);
	bytes_unref(line);
	bytes_unref(small);
	output_fini(&output);
}

static void frames_that_are_no_lines_go_as_they_are(void **state)
{
	static struct drain drain;
	struct output output = {.has_frames = true};
	struct bytes *line = bytes_new("hello\n", 6);
	struct bytes *frame = bytes_new("\x8a\x02ok", 4);

	(void)state;
	drain = (struct drain){.transport = {.ops = &drain_ops}, .at_a_time = TAKEN_SIZE};
	output_add(&output, line);
	output_add(&output, frame);
	output_add(&output, line);
	assert_int_equal(output_write(&output, &drain.transport), 0);
	assert_int_equal(drain.taken, 18);
	assert_memory_equal(drain.bytes, "\x81\x05hello\x8a\x02ok\x81\x05hello", 18);
	bytes_unref(line);
	bytes_unref(frame);
	output_fini(&output);
}

static void a_frame_whose_head_was_begun_is_not_cut(void **state)
{
	static struct drain drain;
	struct output output = {.has_frames = true};
	struct bytes *line = bytes_new("hello\n", 6);

	(void)state;
	drain = (struct drain){.transport = {.ops = &drain_ops}, .at_a_time = 8};
	output_add(&output, line);
	output_add(&output, line);
	output_add(&output, line);
	assert_int_equal(output_write(&output, &drain.transport), 0);
	output_cut(&output, &drain.transport);
	assert_int_equal(output.count, 1);
	assert_int_equal(output.queued, 6);
	bytes_unref(line);
	output_fini(&output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(lines_go_out_in_order_however_little_is_taken),
			cmocka_unit_test(what_is_not_taken_now_waits),
			cmocka_unit_test(a_cut_keeps_what_was_begun_or_promised),
			cmocka_unit_test(frames_go_out_whole_however_little_is_taken),
			cmocka_unit_test(long_lines_have_their_heads_too),
			cmocka_unit_test(lines_beyond_sixty_four_kib_have_longer_heads),
			cmocka_unit_test(frames_that_are_no_lines_go_as_they_are),
			cmocka_unit_test(a_frame_whose_head_was_begun_is_not_cut),
			cmocka_unit_test(a_failure_is_returned_and_what_waits_can_be_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
