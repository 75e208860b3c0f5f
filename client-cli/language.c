#include "client-cli/language.h"

#include <errno.h>
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "protocol/phrase.h"

#define DOMAIN "qttt"
/* The one locale of UTF-8 that Debian always has. To gettext it is a locale like others, unlike
 * "C", for which it translates nothing, whatever LANGUAGE says. */
#define PLAIN_LOCALE "C.UTF-8"
/* The catalogue by which a folder of catalogues is known. */
#define CATALOGUE "pl/LC_MESSAGES/" DOMAIN ".mo"

static bool has_utf8;

bool language_has_utf8(void)
{
	return has_utf8;
}

static const char *translated(const char *one, const char *many, int64_t count)
{
	return many ? dngettext(DOMAIN, one, many, (unsigned long)count) : dgettext(DOMAIN, one);
}

/* The locale that the environment asks for, which this machine may not have. */
static const char *locale_asked(const char *category)
{
	const char *const names[] = {"LC_ALL", category, "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && value[0] != '\0') {
			return value;
		}
	}
	return "";
}

static bool names_utf8(const char *locale)
{
	return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
}

/* A locale that is asked for and not generated, as after ssh to a fresh machine, says all the same
 * what the terminal shows. */
static void take_characters(void)
{
	if (!setlocale(LC_CTYPE, "")) {
		(void)setlocale(LC_CTYPE,
				names_utf8(locale_asked("LC_CTYPE")) ? PLAIN_LOCALE : "C");
	}
	has_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* gettext goes by LANGUAGE first, if there is any locale but "C"; so no locale of the language has
 * to be generated. */
static void take_language(const char *wanted)
{
	const char *locale = setlocale(LC_MESSAGES, "");
	const char *languages = getenv("LANGUAGE");
	bool says_which = languages && languages[0] != '\0';

	if (wanted || (!locale && !says_which)) {
		(void)setenv("LANGUAGE", wanted ? wanted : locale_asked("LC_MESSAGES"), 1);
	}
	if (!locale || (wanted && (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0))) {
		(void)setlocale(LC_MESSAGES, PLAIN_LOCALE);
	}
}

static bool holds_catalogue(const char *folder)
{
	char path[PATH_MAX + sizeof(CATALOGUE) + 1];

	snprintf(path, sizeof(path), "%s/" CATALOGUE, folder);
	return access(path, R_OK) == 0;
}

/* The build folder's come first, so that a program that is not installed finds its own; then those
 * beside which it is installed, wherever that tree was moved to. */
static void find_catalogues(char ret_folder[PATH_MAX])
{
	static const char *const beside[] = {"po", "../share/locale"};
	char program[PATH_MAX / 2];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[length > 0 ? length : 0] = '\0';
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		int folder = (int)(strrchr(program, '/') ? strrchr(program, '/') - program : 0);

		snprintf(ret_folder, PATH_MAX, "%.*s/%s", folder, program, beside[i]);
		if (holds_catalogue(ret_folder)) {
			return;
		}
	}
	snprintf(ret_folder, PATH_MAX, "%s", QTTT_LOCALEDIR);
}

/* The client writes UTF-8 or ASCII, whatever else a locale may have. To find nearest letters the C
 * library needs the table of a locale, and that of "C" has no Polish ones. */
static void choose_letters(bool ascii)
{
	const char *letters = ascii ? "ASCII//TRANSLIT" : "UTF-8";

	if (!has_utf8) {
		(void)setlocale(LC_CTYPE, PLAIN_LOCALE);
	}
	(void)bind_textdomain_codeset(DOMAIN, letters);
}

void language_begin(const char *wanted, bool ascii, const char *folder)
{
	char found[PATH_MAX];

	take_characters();
	take_language(wanted);
	if (!folder) {
		find_catalogues(found);
		folder = found;
	}
	(void)bindtextdomain(DOMAIN, folder);
	choose_letters(ascii || !has_utf8);
	phrase_translate_by(translated);
}

const char *language_reason(int error)
{
	static const struct {
		int error;
		const char *text;
	} usual[] = {
			{EACCES, N_("Permission denied")},
			{EADDRNOTAVAIL, N_("Cannot assign requested address")},
			{ECONNREFUSED, N_("Connection refused")},
			{ECONNRESET, N_("Connection reset by peer")},
			{EHOSTUNREACH, N_("No route to host")},
			{EISDIR, N_("Is a directory")},
			{ENETUNREACH, N_("Network is unreachable")},
			{ENOENT, N_("No such file or directory")},
			{ENOSPC, N_("No space left on device")},
			{ENOTDIR, N_("Not a directory")},
			{EPIPE, N_("Broken pipe")},
			{ETIMEDOUT, N_("Connection timed out")},
			{EAI_AGAIN, N_("Temporary failure in name resolution")},
			{EAI_FAIL, N_("Non-recoverable failure in name resolution")},
			{EAI_NONAME, N_("Name or service not known")},
			{EAI_SERVICE, N_("Servname not supported for ai_socktype")},
	};
	const char *text = error < 0 ? gai_strerror(error) : strerrordesc_np(error);

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (usual[i].error == error) {
			text = usual[i].text;
		}
	}
	return text ? _(text) : _("unknown error");
}
