/* What the options mean to play and net, at the start and after a reload. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>

#include "server/net/net.h"
#include "server/ops/config.h"
#include "server/ops/prefix.h"
#include "server/play/play.h"

/* Can what everybody who connects is told be shown? ret_why is a sentence if not. */
bool settings_texts_are_clean(const struct config *config, char ret_why[CONFIG_WHY_SIZE]);

/* Fill in what options decide; the rest of *ret stays. Its texts are the config's. */
void settings_for_play(const struct config *config, struct play_config *ret);

/* The same. The proxies are written into the caller's memory. */
void settings_for_net(const struct config *config, struct prefix proxies[CONFIG_LIST_MAX],
		struct net_config *ret);

/* Read command line and file again, take over what may change, and log what did and what has to
 * wait for a restart. False, and all stays as it is: ret_why says why. */
bool settings_reload(struct config *config, int argc, char **argv, char ret_why[CONFIG_WHY_SIZE]);

#endif
