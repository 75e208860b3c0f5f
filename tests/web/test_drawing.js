/* What is to be seen on a board, and what a study tells; without a browser. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";

import {ROOT, modules} from "./harness.js";

/* The vectors' positions as boards of the protocol. */
function board({classical, spooky, phase, cycle, choices, outcomes}) {
	const squares = Array.from({length: 9}, (_, i) => classical[i + 1]
		|| spooky.filter(([, ...pair]) => pair.includes(i + 1)).map(([mark]) => mark));
	return {squares, phase, cycle, choices, outcomes};
}

const games = () => fs.readFileSync(path.join(ROOT, "tests/vectors/games.jsonl"), "utf8").trim().split("\n")
	.map((line) => ({views: JSON.parse(line).views.map(board)}));

test("a measurement drawn mark after mark ends on the board that the rules give", async (t) => {
	const {measuredSquares} = await modules(t, "board");
	let measured = 0;
	for (const {views} of games()) {
		views.forEach((view, i) => {
			if (view.phase !== "collapse" || !views[i + 1]) return;
			const ends = view.outcomes.map((outcome) => measuredSquares(view.squares, outcome));
			assert.ok(ends.some((squares) => JSON.stringify(squares) === JSON.stringify(views[i + 1].squares)));
			measured++;
		});
	}
	assert.ok(measured > 100);
});

test("while a measurement is drawn every mark is in one square or in two", async (t) => {
	const {measuredSquares, entanglements} = await modules(t, "board");
	for (const {views} of games().slice(0, 40)) {
		for (const view of views.filter(({phase}) => phase === "collapse")) {
			for (const outcome of view.outcomes) {
				outcome.forEach((_, count) => {
					const squares = measuredSquares(view.squares, outcome, count);
					const classical = squares.filter((held) => typeof held === "string");
					const spooky = [...entanglements(squares).values()];
					assert.ok(spooky.every(({length}) => length === 1 || length === 2));
					assert.equal(new Set(classical).size, classical.length);
				});
			}
		}
	}
});

test("nine marks have nine places in a square, all of them within it", async (t) => {
	const {placeOf} = await modules(t, "board");
	for (const square of [1, 5, 9]) {
		const [left, top] = [(square - 1) % 3 * 120, Math.floor((square - 1) / 3) * 120];
		const places = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((move) => placeOf(square, move));
		assert.equal(new Set(places.map(String)).size, 9);
		for (const [x, y] of places) {
			assert.ok(x > left + 10 && x < left + 110 && y > top + 10 && y < top + 110);
		}
	}
});

test("the scene has a link for each spooky mark and lights those on the cycle alone", async (t) => {
	const {scene} = await modules(t, "board");
	const squares = [["X1", "O4"], [], [], [], ["X1", "O2", "X3"], ["X3"], [], [], ["O2", "O4"]];
	const board = {squares, cycle: [1, 5, 9], choices: [1, 9]};
	const links = scene(board).filter(({shape}) => shape === "link");
	assert.deepEqual(links.map(({data}) => data.mark), ["X1", "O4", "O2", "X3"]);
	assert.deepEqual(links.filter(({data}) => data.isLit).map(({data}) => data.mark), ["X1", "O4", "O2"]);
	const preview = [["O4", 9], ["O2", 5], ["X1", 1], ["X3", 6]];
	const ghosts = scene(board, {preview}).filter(({data}) => data.isGhost);
	assert.deepEqual(ghosts.map(({data}) => [data.mark, data.square]), preview);
});

test("each thing in a scene has a key of its own", async (t) => {
	const {scene} = await modules(t, "board");
	for (const {views} of games().slice(0, 60)) {
		for (const view of views) {
			for (const preview of [null, ...view.outcomes || []]) {
				const keys = scene(view, {preview, chosen: [3], tentative: {mark: "X9", squares: [3, 4]}}).map(({key}) => key);
				assert.equal(new Set(keys).size, keys.length);
			}
		}
	}
});

test("what a step gave away is what its position was worth to who acted less what came of it", async (t) => {
	const {givenAway, worth, curve} = await modules(t, "study");
	const steps = [{by: "X"}, {by: "O"}, {by: "X"}, {by: "O"}];
	assert.deepEqual(givenAway(steps, [0.5, 0, 1, 1, 1]), [0.5, 1, 0, 0]);
	assert.ok(Object.is(givenAway([{by: "O"}], [0, 0])[0], 0));
	assert.deepEqual([1.5, 0, -0.5].map(worth), ["X +1½", "draw", "O +½"]);
	const {points, zero} = curve([0, 2, -1]);
	assert.equal(points[0][1], zero);
	assert.ok(points[1][1] < zero && points[2][1] > zero);
});

test("a clock tells minutes and seconds and near its end tenths", async (t) => {
	const {showTime} = await modules(t, "play");
	assert.deepEqual([180000, 179001, 20000, 19850, 900, 0].map(showTime),
		["3:00", "3:00", "0:20", "0:19.9", "0:00.9", "0:00.0"]);
});

const line = (mark, max, ...squares) => ({mark, squares, max});
const END = {reason: "line", cause: undefined};

test("the score is told with its reason", async (t) => {
	const {tellResult, pricedLines} = await modules(t, "play");
	const nameOf = (seat) => ({X: "ala", O: "ola"})[seat];
	const told = (lines, X, O, more) => tellResult({...END, lines, score: {X, O}, ...more}, nameOf)
		.replaceAll("\u2060", "");
	assert.match(told([line("X", 5, 1, 2, 3)], 1, 0), /^ala has the line 1–2–3 and wins, 1 to 0/);
	assert.match(told([line("O", 6, 7, 8, 9), line("X", 7, 1, 2, 3)], 0.5, 1), /ola, 7–8–9, .* O6; that of ala, 1–2–3, only with X7.*X ½, O 1/);
	assert.match(told([line("X", 5, 1, 2, 3), line("X", 7, 1, 4, 7)], 1.5, 0), /^ala has two lines: .*X 1½, O 0/);
	assert.match(told([line("X", 9, 1, 2, 3), line("X", 9, 3, 5, 7)], 2, 0), /one mark, X9.*Neither is the later/);
	assert.match(told([], 0, 0, {reason: "full_board"}), /draw/);
	assert.match(told([], 0, 1, {reason: "flag"}), /^ala ran out of time: ola wins/);
	for (const cause of ["request", "no_first_move", "untouched", "creator_left", "declined", "operator"]) {
		assert.ok(tellResult({reason: "aborted", cause, score: null, lines: []}, nameOf).length > 10);
	}
	assert.deepEqual(pricedLines({...END, lines: [line("O", 6, 7, 8, 9), line("X", 7, 1, 2, 3)]}).map(({points}) => points), ["1", "½"]);
	assert.deepEqual(pricedLines({...END, lines: [line("X", 9, 1, 2, 3), line("X", 9, 3, 5, 7)]}).map(({points}) => points), ["1", "1"]);
});
