#include "client-cli/token.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/text.h"

#define TOKEN_ALPHABET "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

int token_load(const char *path, char ret_token[TOKEN_SIZE])
{
	char text[TOKEN_SIZE + 2] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count;
	size_t length;

	if (fd < 0) {
		ret_token[0] = '\0';
		return errno == ENOENT ? 0 : -errno;
	}
	count = read(fd, text, sizeof(text) - 1);
	if (count < 0) {
		int result = -errno;

		close(fd);
		return result;
	}
	close(fd);
	length = strspn(text, TOKEN_ALPHABET);
	if (length < LIMIT_TOKEN_CHARS_MIN || length > LIMIT_TOKEN_CHARS ||
			strspn(text + length, "\r\n") != (size_t)count - length) {
		return -EBADMSG;
	}
	memcpy(ret_token, text, length);
	ret_token[length] = '\0';
	return 0;
}

/* Write and close. Returns 0 or a negative errno. */
static int token_write(int fd, const char *token)
{
	char text[TOKEN_SIZE + 1];
	int length = snprintf(text, sizeof(text), "%s\n", token);
	int result = 0;

	if (write(fd, text, (size_t)length) != (ssize_t)length || fsync(fd) < 0) {
		result = errno ? -errno : -EIO;
	}
	if (close(fd) < 0 && result == 0) {
		result = -errno;
	}
	return result;
}

int token_save(const char *path, const char *token)
{
	char beside[PATH_MAX];
	int length = snprintf(beside, sizeof(beside), "%s.XXXXXX", path);
	int fd;
	int result;

	if (length < 0 || (size_t)length >= sizeof(beside)) {
		return -ENAMETOOLONG;
	}
	errno = 0;
	fd = mkostemp(beside, O_CLOEXEC); /* made with mode 0600 */
	if (fd < 0) {
		return -errno;
	}
	result = token_write(fd, token);
	if (result == 0 && rename(beside, path) < 0) {
		result = -errno;
	}
	if (result < 0) {
		(void)unlink(beside);
	}
	return result;
}

/* Where it is kept. */

/* Make the folders of a path that are missing, its last part apart, which is a file. */
static bool folders_make(const char *path)
{
	char folder[PATH_MAX];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		memcpy(folder, path, (size_t)(slash - path));
		folder[slash - path] = '\0';
		if (mkdir(folder, 0700) < 0 && errno != EEXIST) {
			return false;
		}
	}
	return true;
}

/* Append a separator and text, of which small letters, digits, - and . stay as they are: so the
 * separator is no part of it. False if there is no room. */
static bool path_append(char path[PATH_MAX], const char *separator, const char *text)
{
	size_t length = strlen(path);

	length += (size_t)snprintf(path + length, PATH_MAX - length, "%s", separator);

	for (; *text != '\0'; text++) {
		char letter = *text;
		bool plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
			     letter == '-' || letter == '.';

		if (length + 4 > PATH_MAX) {
			return false;
		}
		if (plain) {
			path[length++] = letter;
			path[length] = '\0';
		} else {
			length += (size_t)snprintf(path + length, PATH_MAX - length, "%%%02x",
					(unsigned int)(unsigned char)letter);
		}
	}
	return true;
}

/* Hosts and names that differ in case alone, or in how a letter is composed, are one. */
static bool path_append_folded(char path[PATH_MAX], const char *separator, const char *text)
{
	char *folded = text_folded(text);
	bool fits = path_append(path, separator, folded ? folded : text);

	free(folded);
	return fits;
}

void token_drop(const char *path)
{
	(void)unlink(path);
}

bool token_path(const char *host, const char *port, const char *name, char ret_path[PATH_MAX])
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	char path[PATH_MAX] = "";
	int length;

	/* A relative path is not valid there, as the XDG specification has it. */
	if (state && state[0] == '/') {
		length = snprintf(path, sizeof(path), "%s/qttt/", state);
	} else if (home && home[0] == '/') {
		length = snprintf(path, sizeof(path), "%s/.local/state/qttt/", home);
	} else {
		return false;
	}
	if (length >= (int)sizeof(path) || !path_append_folded(path, "", host) ||
			!path_append(path, "_", port) || !path_append_folded(path, "_", name) ||
			!folders_make(path)) {
		return false;
	}
	memcpy(ret_path, path, sizeof(path));
	return true;
}
