/* What bad clients do: a table of attacks (attacks.c), each carried out by a crowd of connections
 * from many addresses of this machine (crowd.c). */
#ifndef BENCH_ATTACK_H
#define BENCH_ATTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ATTACK_SAY_BYTES 8192
#define ATTACK_ROOM_SIZE 24

/* One of the crowd. */
struct member {
	int number;
	int fd;	     /* -1: to be opened */
	long step;   /* says so far on this connection; the attack's to change */
	long life;   /* which of its connections that is */
	bool is_in;  /* something came from the server */
	bool writes; /* EPOLLOUT is on */
	bool open;   /* connected */
	char *rest;  /* what the kernel did not take */
	size_t rest_length;
	size_t rest_size;
};

/* What it says next, into `text`: so many bytes, 0 for nothing now, ATTACK_OVER when it is through.
 */
#define ATTACK_OVER (-1)
typedef ssize_t attack_say_fn(struct member *member, char text[ATTACK_SAY_BYTES]);

/* Something came; text[length] is 0. */
typedef void attack_heard_fn(struct member *member, const char *text, size_t length);

enum attack_door { ATTACK_TCP, ATTACK_TLS, ATTACK_HTTP, ATTACK_DOORS };

/* Who is through stays as he is, or begins again with another connection. */
enum attack_end { ATTACK_STAYS, ATTACK_CLOSES, ATTACK_RESETS };

#define ATTACK_HEARING 2

struct attack {
	const char *name;
	enum attack_door door;
	int conns;     /* at a time */
	int addresses; /* from which they come */
	int pace_ms;   /* each says something so often; 0: whenever its socket takes more */
	bool deaf;     /* all but the first ATTACK_HEARING read nothing */
	enum attack_end end;
	attack_say_fn *say;
	attack_heard_fn *heard; /* NULL: nobody cares */
};

extern const struct attack attacks[];
extern const size_t attack_count;

/* What an attack needs that is not made up here: a TLS client's first bytes, or lines of tokens. */
struct attack_blob {
	const char *data;
	size_t length;
};
extern struct attack_blob attack_blob;

/* Counts of the crowd. */
struct attack_counts {
	uint64_t opened;
	uint64_t admitted; /* heard something */
	uint64_t closed;   /* by the server */
	uint64_t sent;	   /* bytes */
	uint64_t heard;
};
extern struct attack_counts attack_counts;

/* Carry it out until `*stop`. */
void crowd_attack(const struct attack *attack, int port, const volatile bool *stop);

uint64_t crowd_now_ns(void);
uint32_t crowd_random(uint32_t below);

#endif
