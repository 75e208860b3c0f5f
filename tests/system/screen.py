"""What a terminal would show: enough of one to read what qttt wrote to it, line by line.

Lines that scroll out of a window are kept. A window that gets narrower breaks its lines, as most
terminals do.
"""

import re
import unicodedata

PIECE = re.compile(r"\033\[([?0-9;]*)([A-Za-z])|\033.|[\r\n\b\a]|[^\033\r\n\b\a]")


class Screen:
    def __init__(self, columns):
        self.columns = columns
        self.clear()

    def clear(self):
        self.rows = [[]]
        self.row = self.column = 0

    def feed(self, text):
        for piece in PIECE.finditer(text):
            if piece[2]:
                self.control(piece[1], piece[2])
            elif piece[0] == "\r":
                self.column = 0
            elif piece[0] == "\n":
                self.down()
            elif piece[0] not in "\b\a" and not piece[0].startswith("\033"):
                self.put(piece[0])

    def down(self):
        self.row += 1
        if self.row == len(self.rows):
            self.rows.append([])

    def put(self, character):
        if unicodedata.combining(character) and self.column:
            self.rows[self.row][self.column - 1] += character
            return
        if self.column == self.columns:
            self.column = 0
            self.down()
        row = self.rows[self.row]
        row.extend(" " * (self.column - len(row)))
        row[self.column:self.column + 1] = [character]
        self.column += 1

    def control(self, numbers, letter):
        count = int(numbers) if numbers.isdigit() else 1
        if letter == "A":
            self.row = max(0, self.row - count)
        elif letter == "C":
            self.column = min(self.columns - 1, self.column + count)
        elif letter == "H":
            self.clear()
        elif letter == "J" and numbers != "2":
            del self.rows[self.row][self.column:]
            del self.rows[self.row + 1:]
        else:
            assert letter in "mJhl", (numbers, letter)

    def resize(self, columns):
        rows, cursor = [], (0, 0)
        for index, row in enumerate(self.rows):
            first = len(rows)
            rows += [row[at:at + columns] for at in range(0, max(1, len(row)), columns)]
            if index == self.row:
                down = self.column // columns
                while len(rows) <= first + down:
                    rows.append([])
                cursor = first + down, self.column % columns
        self.rows, self.columns = rows, columns
        self.row, self.column = cursor

    def lines(self):
        return ["".join(row) for row in self.rows]

    def text(self):
        return "\n".join(self.lines())

    def line(self):
        """The line that the cursor is in, and the column where it is."""
        return "".join(self.rows[self.row]), self.column
