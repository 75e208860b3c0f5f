/* The file that keeps a player's token, the secret that proves the name. */
#ifndef CLIENT_TOKEN_H
#define CLIENT_TOKEN_H

#include <limits.h>
#include <stdbool.h>

#include "protocol/limits.h"

/* Read the token. Returns 0 with ret_token; 0 with "" if there is no such file; -EBADMSG for a file
 * that holds something else; or another negative errno. */
int token_load(const char *path, char ret_token[TOKEN_SIZE]);

/* Keep the token in the file, readable by its owner alone, in place of what it held: all or
 * nothing. Returns 0 or a negative errno. */
int token_save(const char *path, const char *token);

/* Nobody needs it any more. */
void token_drop(const char *path);

/* Where the token of a name on a server is kept if no file is named: in $XDG_STATE_HOME/qttt (by
 * default ~/.local/state/qttt), which is made, open to its owner alone. False if it can't be. */
bool token_path(const char *host, const char *port, const char *name, char ret_path[PATH_MAX]);

#endif
