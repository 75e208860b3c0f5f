/* What every message from the server must stand, whoever made it up. */
#ifndef TESTS_FUZZ_TOLD_H
#define TESTS_FUZZ_TOLD_H

#include "protocol/bytes.h"
#include "protocol/message.h"

struct bytes *encode_again(const struct message *message);

/* The same in words, in every way of telling: text that can't steer a terminal, or the process
 * ends. */
void tell_in_every_way(const struct message *message);

#endif
