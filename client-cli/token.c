#include "client-cli/token.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
