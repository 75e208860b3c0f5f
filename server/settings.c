#include "server/settings.h"

#include <stdint.h>
#include <stdio.h>

#include "protocol/text.h"
#include "server/ops/log.h"

#define MS_A_SECOND 1000

bool settings_texts_are_clean(const struct config *config, char ret_why[CONFIG_WHY_SIZE])
{
	if (text_is_clean(config->name) && text_is_clean(config->motd)) {
		return true;
	}
	snprintf(ret_why, CONFIG_WHY_SIZE,
			"name and motd want UTF-8 without control or format characters");
	return false;
}

/* None where the operator wants none. */
static struct play_limits limits_of(const struct config *config)
{
	if (config->no_limits) {
		return (struct play_limits){0};
	}
	return (struct play_limits){
			.rooms = config->max_rooms,
			.rooms_per_name = config->rooms_per_name,
			.bot_games_per_name = config->bot_games_per_name,
			.invites_per_name = config->invites_per_name,
			.connections_per_name = config->connections_per_name,
			.watchers_per_room = config->watchers_per_room,
			.rates = {[RATE_OPENS] = config->opens_per_minute,
					[RATE_SAYS] = config->says_per_minute,
					[RATE_INVITES] = config->invites_per_minute,
					[RATE_NAMES] = config->names_per_hour},
			.allowance = config->allowance,
			.address_allowance = config->address_allowance,
			.first_line_ms = config->first_line_s * MS_A_SECOND,
			.idle_ms = config->idle_s * MS_A_SECOND,
	};
}

void settings_for_play(const struct config *config, struct play_config *ret)
{
	ret->name = config->name;
	ret->motd = config->motd[0] == '\0' ? NULL : config->motd;
	ret->most = limits_of(config);
	ret->behind_bytes = (size_t)config->behind_bytes;
	ret->keep_over_ms = config->keep_over_s * MS_A_SECOND;
	ret->keep_events_ms = config->keep_events_s * MS_A_SECOND;
	ret->keep_guests_ms = config->keep_guests_s * MS_A_SECOND;
	ret->hide_away_ms = config->lobby_away_s * MS_A_SECOND;
	ret->limits = (struct room_limits){
			.first_move_ms = config->first_move_s * MS_A_SECOND,
			.claim_ms = config->claim_grace_s * MS_A_SECOND,
			.claim_untimed_ms = config->claim_untimed_s * MS_A_SECOND,
			.untouched_ms = config->untouched_s * MS_A_SECOND,
			.creator_away_ms = config->close_away_s * MS_A_SECOND,
	};
	ret->bot_pace_ms = config->bot_pace_ms;
}

void settings_for_net(const struct config *config, struct prefix proxies[CONFIG_LIST_MAX],
		struct net_config *ret)
{
	for (size_t i = 0; i < config->proxy_from.count; i++) {
		prefix_parse(config->proxy_from.items[i], &proxies[i]);
	}
	ret->proxies = proxies;
	ret->proxy_count = config->proxy_from.count;
	ret->max_connections = config->no_limits ? SIZE_MAX : (size_t)config->max_connections;
	ret->limits = (struct conn_limits){
			.output = (size_t)config->max_output,
			.output_all = (size_t)config->max_output_all,
			.slow_ms = config->slow_reader_s * MS_A_SECOND,
			.per_address = config->no_limits ? 0
							 : (size_t)config->connections_per_address,
	};
}

static void option_changed(void *arg, const char *name, bool now)
{
	(void)arg;
	log_event(now ? LOG_INFO : LOG_WARN, now ? "option_changed" : "option_kept", "option=%s%s",
			name, now ? "" : " why=\"takes effect after a restart\"");
}

bool settings_reload(struct config *config, int argc, char **argv, char ret_why[CONFIG_WHY_SIZE])
{
	struct config fresh;

	if (config->file != NULL && !config_is_readable_again(config->file, ret_why)) {
		return false;
	}
	const enum config_result result = config_read(argc, argv, &fresh, ret_why);
	const bool good = result == CONFIG_RUN && settings_texts_are_clean(&fresh, ret_why);

	if (good) {
		/* Told if it would be told before or after. */
		log_set_level(fresh.log_level > config->log_level ? fresh.log_level
								  : config->log_level);
		config_take_changes(config, &fresh, option_changed, NULL);
	}
	config_fini(&fresh);
	return good;
}
