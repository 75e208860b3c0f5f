/* Who started the process and looks after it, if anybody does: systemd, or what speaks as it does.
 * It may hand over sockets that it holds, so that a restart refuses nobody, and is told how the
 * process is. Without one there are no sockets, and nothing is told. */
#ifndef OPS_SUPERVISOR_H
#define OPS_SUPERVISOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SUPERVISOR_SOCKETS 64
#define SUPERVISOR_WHY_SIZE 256

struct supervisor_socket {
	int fd;	    /* closed when another program is run */
	char *name; /* what the supervisor calls it */
};

struct supervisor_sockets {
	size_t count;
	struct supervisor_socket items[SUPERVISOR_SOCKETS];
};

/* The sockets that were handed over, once; before anything else opens a file, as one of theirs that
 * is missing could not be told from that. The names are the caller's to supervisor_sockets_fini,
 * whatever the result. False: ret_why is a sentence that says what is wrong with them. */
bool supervisor_take_sockets(struct supervisor_sockets *ret, char ret_why[SUPERVISOR_WHY_SIZE]);
void supervisor_sockets_fini(struct supervisor_sockets *sockets);

enum supervisor_news {
	SUPERVISOR_READY,     /* it serves, for the first time or after a reload */
	SUPERVISOR_RELOADING, /* the configuration is being read again */
	SUPERVISOR_STOPPING
};

void supervisor_tell(enum supervisor_news news);

/* How often supervisor_tell_alive is to be called, in ms; 0: never. */
int64_t supervisor_beat_ms(void);

/* The loop goes round. `status` is a short line for people. */
void supervisor_tell_alive(const char *status);

#endif
