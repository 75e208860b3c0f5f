"""Fixtures, and results as TAP on standard output (`--tap`) for meson to count one by one."""

import os
import random
import resource
import sys

import pytest

import qttt
from seat import Seat


@pytest.fixture(scope="module")
def server():
    """One server for all tests of a file: they use rooms and names of their own."""
    server = qttt.Server()
    yield server
    server.stop()


@pytest.fixture
def own_server():
    """A server for one test alone."""
    server = qttt.Server()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def choice():
    """What is left to chance; QTTT_SEED repeats it."""
    seed = int(os.environ.get("QTTT_SEED") or random.randrange(2**32))
    print("QTTT_SEED", seed)
    return random.Random(seed)


@pytest.fixture(scope="module")
def many_files():
    """This process needs a file for each of its clients."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def sit(request):
    seats = []

    def start(server, *arguments, program=None, **named):
        seats.append(Seat(program or qttt.qttt_path(), *arguments, f"127.0.0.1:{server.port}",
                          **named))
        return seats[-1]
    yield start
    for seat in seats:
        seat.stop()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.failed:
        for server in qttt.Server.running:
            report.sections.append(("log of qtttd", server.log()[-4000:]))


def pytest_addoption(parser):
    parser.addoption("--tap", action="store_true", help="results as TAP; the rest to stderr")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if config.getoption("--tap"):
        reporter = config.pluginmanager.getplugin("terminalreporter")
        reporter._tw._file = sys.stderr
        config.pluginmanager.register(Tap())


class Tap:
    """The plan first, from what was collected: a run that is cut short has too few results."""

    def __init__(self):
        self.count = 0
        self.reports = []

    @staticmethod
    def say(line):
        sys.__stdout__.write(line + "\n")
        sys.__stdout__.flush()

    def pytest_collection_finish(self, session):
        if session.items and not session.testsfailed:
            self.say(f"1..{len(session.items)}")

    def pytest_runtest_logreport(self, report):
        self.reports.append(report)

    def pytest_runtest_logfinish(self, nodeid, location):
        self.count += 1
        name = nodeid.split("::", 1)[-1].replace("#", "")
        reports, self.reports = self.reports, []
        while qttt.told:
            self.say(f"# {qttt.told.pop(0)}")
        if any(report.failed for report in reports):
            self.say(f"not ok {self.count} - {name}")
        elif any(report.skipped for report in reports):
            self.say(f"ok {self.count} - {name} # SKIP")
        else:
            self.say(f"ok {self.count} - {name}")
