/* What an operator has done to a database beside the server, which may run on it meanwhile. Each
 * says on standard output what became of it, or on standard error why nothing did, and returns the
 * program's exit status. */
#ifndef UPKEEP_UPKEEP_H
#define UPKEEP_UPKEEP_H

/* Copy the database `db` into a new file (ops/new_file.h). SIGINT, SIGTERM and SIGHUP give it up.
 */
int upkeep_backup(const char *db, const char *file);

/* Check it; EXIT_FAILED also where something is wrong with it. */
int upkeep_check(const char *db);

/* Write all games that are over into a new file, in the same way, or to standard output ("-"),
 * which then has nothing else. */
int upkeep_export(const char *db, const char *file);

#endif
