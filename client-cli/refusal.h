/* What the server refuses with, in the language of the player. The server speaks English, and may
 * be newer than the client, or put a sentence together of parts: so not each is in the catalogue.
 */
#ifndef CLIENT_REFUSAL_H
#define CLIENT_REFUSAL_H

#include "protocol/message.h"

/* The message becomes the catalogue's sentence for it. Where there is none, it is kept, behind the
 * translated sentence of its code if that is true whatever the message says. Does nothing where
 * nothing is translated. */
void refusal_translate(struct error *error);

#endif
