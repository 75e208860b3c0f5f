/* What of the tables needs none of the others' rows. */
#include "protocol/decode.h"
#include "protocol/schema_rows.h"

uint32_t schema_ok_allowed(enum request_type type)
{
	static const uint32_t doubtful = OK_OWN_ROOMS | OK_SUMMARIES | OK_ONLINE | OK_PLAYERS |
					 OK_GAME | OK_GAMES | OK_STANDING | OK_TOP | OK_ROOMS |
					 OK_DRAIN;
	static const uint32_t own[REQUEST_COUNT] = {
			[REQUEST_HELLO] = OK_OWN_ROOMS,
			[REQUEST_LOBBY] = OK_SUMMARIES,
			[REQUEST_WHO] = OK_ONLINE | OK_PLAYERS,
			[REQUEST_GAME] = OK_GAME,
			[REQUEST_GAMES] = OK_GAMES,
			[REQUEST_PLAYER] = OK_STANDING,
			[REQUEST_TOP] = OK_TOP,
			[REQUEST_ROOMS] = OK_ROOMS,
			[REQUEST_DRAIN] = OK_DRAIN,
	};

	return ~doubtful | own[type];
}

static const struct field name_element = {.kind = FIELD_TEXT, .size = NAME_SIZE};

const struct field schema_player[] = {
		STRING("name", struct player_record, name, ALWAYS),
		PLAIN("guest", FIELD_BOOL, struct player_record, guest, ALWAYS),
		PLAIN("given_up", FIELD_BOOL, struct player_record, given_up,
				FILLED(struct player_record, given_up)),
		STRING("former", struct player_record, former,
				FILLED(struct player_record, former)),
		PLAIN("created_ms", FIELD_INTEGER, struct player_record, created_ms, ALWAYS),
		LIST("muted", FIELD_LIST, &name_element, struct player_record, muted, muted_count,
				ALWAYS),
		END,
};
