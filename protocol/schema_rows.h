/* How the rows of schema.c are written. For it alone. */
#ifndef PROTOCOL_SCHEMA_ROWS_H
#define PROTOCOL_SCHEMA_ROWS_H

#include "protocol/schema.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

#define SIZE(type, member) sizeof(((type *)NULL)->member)
#define KEY(word)                                                                                  \
	.name = (word), .key = ",\"" word "\":", .key_length = sizeof(",\"" word "\":") - 1
#define AT(type, member) .offset = offsetof(type, member)
#define BIT(bit) .when = WHEN_BIT, .when_offset = offsetof(struct ok, carries), .when_bit = (bit)
#define TOLD(type, member) .when = WHEN_TOLD, .when_offset = offsetof(type, member)
#define FILLED(type, member) .when = WHEN_FILLED, .when_offset = offsetof(type, member)
#define CHOSEN(type, member) .when = WHEN_CHOSEN, .when_offset = offsetof(type, member)
#define OR_NULL .null = true

/* One row: a member of the struct `type`, followed by when it is there. */
#define STRING(word, type, member, ...)                                                            \
	{                                                                                          \
		KEY(word), .kind = FIELD_TEXT, AT(type, member), .size = SIZE(type, member),       \
			   __VA_ARGS__                                                             \
	}
#define PROSE(word, type, member, ...)                                                             \
	{                                                                                          \
		KEY(word), .kind = FIELD_PROSE, AT(type, member), .size = SIZE(type, member),      \
			   __VA_ARGS__                                                             \
	}
#define PLAIN(word, which, type, member, ...)                                                      \
	{                                                                                          \
		KEY(word), .kind = (which), AT(type, member), __VA_ARGS__                          \
	}
#define WORD(word, list, type, member, ...)                                                        \
	{                                                                                          \
		KEY(word), .kind = FIELD_WORD, AT(type, member), .words = &words_##list,           \
			   __VA_ARGS__                                                             \
	}
#define OBJECT(word, table, type, member, ...)                                                     \
	{                                                                                          \
		KEY(word), .kind = FIELD_OBJECT, AT(type, member), .fields = (table), __VA_ARGS__  \
	}
/* Members of this same struct, told as an object of their own. */
#define GROUP(word, table, ...)                                                                    \
	{                                                                                          \
		KEY(word), .kind = FIELD_OBJECT, .fields = (table), __VA_ARGS__                    \
	}
#define INLINE(table, type, member)                                                                \
	{                                                                                          \
		.name = "", .kind = FIELD_INLINE, AT(type, member), .fields = (table)              \
	}
#define SQUARES(word, type, member, ...)                                                           \
	{                                                                                          \
		KEY(word), .kind = FIELD_SQUARES, AT(type, member), .size = SIZE(type, member),    \
			   __VA_ARGS__                                                             \
	}
#define LIST(word, which, of, type, member, count, ...)                                            \
	{                                                                                          \
		KEY(word), .kind = (which), AT(type, member),                                      \
			   .count_offset = offsetof(type, count), .element = (of), __VA_ARGS__     \
	}
#define ROWS(word, of, type, member, count, ...)                                                   \
	LIST(word, FIELD_ROWS, of, type, member, count, .size = SIZE(type, member), __VA_ARGS__)
#define CONSTANT(word, text)                                                                       \
	{                                                                                          \
		KEY(word), .kind = FIELD_CONSTANT, .constant = (text)                              \
	}
#define ALWAYS .when = WHEN_ALWAYS
#define END                                                                                        \
	{                                                                                          \
		NULL                                                                               \
	}

#endif
