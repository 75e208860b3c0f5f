/* A file that is there whole or not at all: it is written beside its place under another name, its
 * own with `.part-` and some letters after it, and gets its own once it is on the disk. What is
 * killed in between leaves such a part, which stands in nobody's way. */
#ifndef OPS_NEW_FILE_H
#define OPS_NEW_FILE_H

/* A sentence that says what is wrong fits in this. */
#define NEW_FILE_WHY_SIZE 512

struct new_file {
	char *path;
	char *part; /* its name until it is whole */
	int fd;	    /* to write it by; closed when another program is run */
};

/* Begin an empty one, for its owner alone (mode 0600). `path` is copied. Returns 0, or a negative
 * errno with a sentence: -EEXIST there is such a file, and what the system said. Then, too, it is
 * the caller's to new_file_fini. */
int new_file_begin(struct new_file *file, const char *path, char ret_why[NEW_FILE_WHY_SIZE]);

/* What was written is all of it: bring it to the disk and give it its name. Returns as above; with
 * an error there is no file of that name, unless somebody else made one (-EEXIST). */
int new_file_finish(struct new_file *file, char ret_why[NEW_FILE_WHY_SIZE]);

/* Take away what was begun and not finished, and close it. */
void new_file_fini(struct new_file *file);

/* Put the sentence that something can't be done to a path into ret_why; returns -error. */
int new_file_say(int error, const char *what, const char *path, char ret_why[NEW_FILE_WHY_SIZE]);

#endif
