/* Completions of qttt's own options for shells, from the option table. */
#ifndef CLIENT_COMPLETION_H
#define CLIENT_COMPLETION_H

#include <stdio.h>

/* Write the file for "bash", "zsh" or "fish". */
void completion_write(const char *shell, FILE *out);

#endif
