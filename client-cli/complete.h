/* Completion of what is typed: words, names and rooms that were met, squares. Knows no editor. */
#ifndef CLIENT_COMPLETE_H
#define CLIENT_COMPLETE_H

#include "client-cli/scene.h"

#define COMPLETE_MAX 128
#define COMPLETE_SIZE NAME_SIZE

struct completion {
	size_t from; /* where the word begins that is completed */
	size_t count;
	char words[COMPLETE_MAX][COMPLETE_SIZE]; /* what it can be, in order */
	char common[COMPLETE_SIZE];		 /* what they all begin with */
};

/* How the word before the cursor, at line[0..cursor), can go on. */
void complete(struct scene *scene, const char *line, size_t cursor, struct completion *ret);

#endif
