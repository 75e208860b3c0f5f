"""One check of the source tree, told as TAP:  lint.py CHECK ROOT [ARGUMENT]"""

import sys

import catalogue
import documents
import headers
import includes
import shape
import tools

CHECKS = {
    "includes": ("includes keep to the table", includes.check),
    "include-table": ("server/README.md shows the table of includes", includes.check_table),
    "headers": ("headers compile by themselves", headers.check),
    "files": ("no file is too long", shape.check_files),
    "functions": ("no function is too long", shape.check_functions),
    "words": ("no forbidden words", shape.check_words),
    "links": ("links in documents lead somewhere", documents.check_links),
    "options": ("--help and the documents agree", documents.check_options),
    "version": ("--version tells the version", documents.check_version),
    "catalogue": ("the catalogue has all that is said, in Polish", catalogue.check),
    "hardening": ("the program is hardened", tools.check_hardening),
    "format": ("clang-format has nothing to change", tools.check_format),
    "tidy": ("clang-tidy has nothing to say", tools.check_tidy),
    "cppcheck": ("cppcheck has nothing to say", tools.check_cppcheck),
}


def main():
    name, arguments = sys.argv[1], sys.argv[2:]
    sentence, check = CHECKS[name]
    print("1..1", flush=True)
    complaints = list(check(*arguments))
    for complaint in complaints:
        print(f"# {complaint}")
    print(f"{'not ok' if complaints else 'ok'} 1 - {sentence}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
