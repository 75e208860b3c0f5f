"""A reader of Prometheus' text format that takes nothing which the format's pages do not promise."""

import math
import re
from collections import namedtuple

Family = namedtuple("Family", "name type help samples")  # samples: {(name, labels): value}

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)$")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?$|[+-]Inf$|NaN$")
TYPES = {"counter", "gauge", "histogram"}
SUFFIXES = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def read_labels(text):
    labels, end = [], 0
    while text is not None and end < len(text):
        found = LABEL.match(text, end)
        assert found, f"no label: {text[end:]!r}"
        labels.append(found.groups())
        end = found.end()
    names = [name for name, _ in labels]
    assert len(set(names)) == len(names), names
    return tuple(sorted(labels))


def read_number(text):
    assert NUMBER.match(text), text
    return float(text.replace("Inf", "inf"))


def read(text):
    """{name: Family}, in the order in which they stand."""
    assert text.endswith("\n") and "\r" not in text
    families, current = {}, None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, help_ = line[7:].split(" ", 1)
            assert re.fullmatch(NAME, name) and name not in families and help_
            current = families[name] = Family(name, None, help_, {})
        elif line.startswith("# TYPE "):
            name, type_ = line[7:].split(" ")
            assert current and name == current.name and current.type is None, line
            assert type_ in TYPES and not current.samples
            current = families[name] = current._replace(type=type_)
        else:
            found = SAMPLE.match(line)
            assert found, f"no sample: {line!r}"
            assert found[1] in [current.name + end for end in SUFFIXES[current.type]], line
            key = (found[1], read_labels(found[2]))
            assert key not in current.samples, f"twice: {line}"
            current.samples[key] = read_number(found[3])
    for family in families.values():
        check(family)
    return families


def check(family):
    """What its type promises, and the naming that Prometheus' own checker asks for."""
    assert family.type, family.name
    assert family.name == family.name.lower() and "__" not in family.name
    assert (family.type == "counter") == family.name.endswith("_total"), family.name
    assert not re.search(r"_(milliseconds|ms|us|minutes|kilobytes|kb)(_|$)", family.name)
    if family.type == "counter":
        assert all(value >= 0 for value in family.samples.values()), family.name
    if family.type == "histogram":
        check_histogram(family)


def check_histogram(family):
    buckets = [(read_number(dict(labels)["le"]), value)
               for (name, labels), value in family.samples.items() if name.endswith("_bucket")]
    assert buckets == sorted(buckets) and len(buckets) > 2
    assert [value for _, value in buckets] == sorted(value for _, value in buckets)
    assert math.isinf(buckets[-1][0])
    assert buckets[-1][1] == family.samples[family.name + "_count", ()]
    assert family.samples[family.name + "_sum", ()] >= 0


def value(families, name, **labels):
    """Of one sample; 0 if it has none."""
    family = next(family for family in families.values()
                  if name in [family.name + end for end in SUFFIXES[family.type]])
    return family.samples.get((name, tuple(sorted(labels.items()))), 0)
