/* How libFuzzer changes a play (see fuzz_play.c): line by line as often as byte by byte, so that
 * what comes of it is mostly a play again. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "tests/unit/game/random.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static const char *const lines[] = {"hello ala", "hello ola token=@0", "hello", "hello token=@1",
		"create X", "create O private", "create ola", "create X title=A \"title\"", "match",
		"match 3+2", "create X clock=1+0", "claim", "create bot-random",
		"create bot-perfect X", "analyse actions=", "analyse $0",
		"analyse actions=1-2,1-2,1,3-4,3-4,3", "join $0", "join $1 O", "decline $0",
		"watch $0", "watch $1 since=0", "leave", "leave $0", "lobby follow",
		"lobby playing limit=1", "lobby follow=off", "move 1 5", "move 2-8 room=$0",
		"move 9", "collapse 5", "collapse 1 mark=O4", "resign", "abort room=$1", "draw",
		"draw no", "draw yes room=$0", "rematch", "rematch $0", "say hi", "state",
		"state $0 since=2", "who limit=3", "mute ola", "mute ola off", "ping id=7",
		"game $0", "games", "games ola limit=1", "player ola", "top", "text on", "text off",
		"text only", "quit", "help", "{\"type\":\"move\",\"squares\":[1,2],\"move\":1}",
		"{\"type\":\"state\",\"id\":5}"};
static const char *const happenings[] = {"a00", "a11", "a25", "-0", "/1", "<0", ">0", "<2", ">2",
		"+1", "+4", "+7", "+9", "!90000", "!09000", "!00990", "!00900", "!99999", "!00000",
		"h", "r", "*", "f0", "R", "Q", "onotice hi", "onotice name=ala hi", "okick ala",
		"oban ala 1m", "oban ola why=rude", "oban 192.0.2.0/24 30s", "ounban ala",
		"obans limit=1", "orooms", "oclose $0", "oclose $1", "ostats", "orelease ala",
		"orelease ola", "odrain", "odrain off", "omotd hi", "owatch $0"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LINE_BYTES 100

struct play {
	uint8_t *data;
	size_t size;
	size_t max_size;
	uint64_t random;
};

static size_t below(struct play *play, size_t limit)
{
	return (size_t)random_below(&play->random, (int)limit);
}

/* Where some line begins; the end of all is one, too. */
static size_t some_line(struct play *play)
{
	size_t at = below(play, play->size + 1);

	while (at > 0 && at < play->size && play->data[at - 1] != '\n') {
		at--;
	}
	return at;
}

static size_t line_length(const struct play *play, size_t at)
{
	const uint8_t *lf = memchr(play->data + at, '\n', play->size - at);

	return lf == NULL ? play->size - at : (size_t)(lf - play->data) - at + 1;
}

static void insert(struct play *play, size_t at, const char *line, size_t length)
{
	if (play->size + length > play->max_size) {
		return;
	}
	memmove(play->data + at + length, play->data + at, play->size - at);
	memcpy(play->data + at, line, length);
	play->size += length;
}

static void insert_new(struct play *play)
{
	char line[LINE_BYTES];
	int length;

	if (below(play, 3) == 0) {
		length = snprintf(line, sizeof(line), "%s\n",
				happenings[below(play, COUNT(happenings))]);
		/* Most of them are about a session. */
		if (length == 3) {
			line[1] = (char)('0' + below(play, 8));
		}
	} else if (below(play, 3) == 0) {
		length = snprintf(line, sizeof(line), "a%zu%zu\n", below(play, 3), below(play, 10));
	} else {
		length = snprintf(line, sizeof(line), "%zu %s\n", below(play, 4),
				lines[below(play, COUNT(lines))]);
	}
	insert(play, some_line(play), line, (size_t)length);
}

static void copy_line(struct play *play)
{
	const size_t from = some_line(play);
	size_t length = line_length(play, from);
	char line[LINE_BYTES];

	length = length < sizeof(line) ? length : sizeof(line);
	memcpy(line, play->data + from, length);
	insert(play, some_line(play), line, length);
}

static void drop_line(struct play *play)
{
	const size_t at = some_line(play);
	const size_t length = line_length(play, at);

	memmove(play->data + at, play->data + at + length, play->size - at - length);
	play->size -= length;
}

/* Somebody else says it. */
static void change_session(struct play *play)
{
	const size_t at = some_line(play);

	if (at < play->size && play->data[at] >= '0' && play->data[at] <= '7') {
		play->data[at] = (uint8_t)('0' + below(play, 4));
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	static void (*const ways[])(struct play * play) = {
			insert_new, insert_new, insert_new, copy_line, drop_line, change_session};
	struct play play = {data, size, max_size, seed};

	if (below(&play, 2) == 0) {
		return LLVMFuzzerMutate(data, size, max_size);
	}
	for (size_t changes = 1 + below(&play, 3); changes > 0; changes--) {
		ways[below(&play, COUNT(ways))](&play);
	}
	return play.size;
}
