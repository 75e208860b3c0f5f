#include <stdio.h>

#include "protocol/phrase.h"
#include "protocol/requests.h"
#include "protocol/tell_parts.h"

#define USAGE_SIZE 160

static bool member_is_last(const struct request_row *row, size_t index)
{
	return index == REQUEST_MEMBERS_MAX || !row->members[index].name;
}

/* "join ROOM [side=...]"; the members that go by name only where `all` is set. */
static void usage_text(const struct request_row *row, bool all, char ret_text[USAGE_SIZE])
{
	snprintf(ret_text, USAGE_SIZE, "%s", row->name);
	for (size_t i = 0; !member_is_last(row, i); i++) {
		const struct request_member *member = &row->members[i];

		if (member->positional || all) {
			tell_append(ret_text, USAGE_SIZE, " %s%s%s%s", member->required ? "" : "[",
					member->name, member->positional ? "" : "=...",
					member->required ? "" : "]");
		}
	}
}

static void help_row(struct tell *tell, enum request_type type)
{
	char usage[USAGE_SIZE];

	usage_text(request_row(type), false, usage);
	tell_line(tell, "  %-18s  %s", usage, _(request_row(type)->about));
}

static void help_one(struct tell *tell, enum request_type type)
{
	const struct request_row *row = request_row(type);
	char usage[USAGE_SIZE];

	usage_text(row, true, usage);
	tell_line(tell, "%s", usage);
	tell_line(tell, "  %s", _(row->about));
	for (size_t i = 0; !member_is_last(row, i); i++) {
		const struct request_member *member = &row->members[i];

		tell_line(tell, "  %-9s %s", member->name, _(member_kind_text(member->kind)));
	}
}

void tell_requests(struct tell *tell, const enum request_type *types, size_t count)
{
	if (count == 1) {
		help_one(tell, types[0]);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		help_row(tell, types[i]);
	}
}

void tell_help(struct tell *tell, const char *about)
{
	enum request_type types[REQUEST_COUNT];
	size_t count = 0;
	enum request_type wanted = request_type_for(tell->is_operator, about, strlen(about));

	if (wanted != REQUEST_COUNT) {
		help_one(tell, wanted);
		return;
	}
	if (about[0] != '\0') {
		tell_line(tell, _("There is no request %s. These are all:"), about);
	}
	for (size_t i = 0; i < REQUEST_COUNT; i++) {
		if (request_is_for(tell->is_operator, (enum request_type)i)) {
			types[count] = (enum request_type)i;
			count++;
		}
	}
	tell_requests(tell, types, count);
}
