#include "client-cli/completion.h"

#include <string.h>

#include "client-cli/options.h"

/* bash. */

static void bash_value(const struct option_shown *option, FILE *out)
{
	fprintf(out, "\t--%s)\n", option->name);
	if (option->words) {
		fprintf(out, "\t\tCOMPREPLY=($(compgen -W '%s' -- \"$word\"))\n", option->words);
	} else if (option->is_file) {
		fputs("\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n", out);
	}
	fputs("\t\treturn\n\t\t;;\n", out);
}

static void write_bash(FILE *out)
{
	struct option_shown option;

	fputs("_qttt()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} "
	      "before=${COMP_WORDS[COMP_CWORD - 1]}\n\tCOMPREPLY=()\n\tcase $before in\n",
			out);
	for (size_t i = 0; options_at(i, &option); i++) {
		if (option.value) {
			bash_value(&option, out);
		}
	}
	fputs("\tesac\n\tCOMPREPLY=($(compgen -W '", out);
	for (size_t i = 0; options_at(i, &option); i++) {
		fprintf(out, "%s--%s", i > 0 ? " " : "", option.name);
	}
	fputs("' -- \"$word\"))\n}\ncomplete -F _qttt qttt\n", out);
}

/* zsh. */

/* What has a meaning of its own in a description is put behind a backslash. */
static void put_zsh(const char *text, FILE *out)
{
	for (; *text != '\0'; text++) {
		if (strchr("[]:\\", *text)) {
			fputc('\\', out);
		}
		if (*text == '\'') {
			fputs("'\\'", out);
		}
		fputc(*text, out);
	}
}

static void zsh_option(const struct option_shown *option, FILE *out)
{
	fprintf(out, " \\\n\t'--%s%s[", option->name, option->value ? "=" : "");
	put_zsh(option->about, out);
	fputc(']', out);
	if (option->words) {
		fprintf(out, ":%s:(%s)", option->value, option->words);
	} else if (option->value) {
		fprintf(out, ":%s:%s", option->value, option->is_file ? "_files" : "");
	}
	fputc('\'', out);
}

static void write_zsh(FILE *out)
{
	struct option_shown option;

	fputs("#compdef qttt\n_arguments", out);
	for (size_t i = 0; options_at(i, &option); i++) {
		zsh_option(&option, out);
	}
	fputs(" \\\n\t'1:server:_hosts'\n", out);
}

/* fish. */

static void put_fish(const char *text, FILE *out)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\') {
			fputc('\\', out);
		}
		fputc(*text, out);
	}
}

static void write_fish(FILE *out)
{
	struct option_shown option;

	fputs("complete -c qttt -f\n", out);
	for (size_t i = 0; options_at(i, &option); i++) {
		fprintf(out, "complete -c qttt -l %s%s -d '", option.name,
				!option.value	 ? ""
				: option.is_file ? " -r -F"
						 : " -x");
		put_fish(option.about, out);
		fputc('\'', out);
		if (option.words) {
			fprintf(out, " -a '%s'", option.words);
		}
		fputc('\n', out);
	}
}

static const struct {
	const char *shell;
	void (*write)(FILE *out);
} shell_rows[] = {
		{"bash", write_bash},
		{"zsh", write_zsh},
		{"fish", write_fish},
};

void completion_write(const char *shell, FILE *out)
{
	for (size_t i = 0; i < sizeof(shell_rows) / sizeof(shell_rows[0]); i++) {
		if (strcmp(shell_rows[i].shell, shell) == 0) {
			shell_rows[i].write(out);
		}
	}
}
