/* Five short screens that play themselves. The positions are told here, not worked out: a test asks
 * the server whether they are right. */

import {Drawing, button, h, isStill, measuredSquares} from "./board.js";
import {other} from "./client.js";
import {joined, places} from "./play.js";
import {t} from "./words.js";

const FRAME_MS = 2100;

const CHAIN = [[1, 5], [5, 9], [5, 6], [1, 9]];
const ARTICLE = [[1, 7], [6, 8], [2, 8], [5, 9], [1, 6], [7, 9], [2, 3], [3, 5]];

export const LESSONS = [
	{moves: [[1, 5], [3, 5]], frames: [{count: 0}, {count: 1}, {count: 2}]},
	{moves: [...CHAIN.slice(0, 3), [2, 3]], frames: [{count: 1}, {count: 2}, {count: 3}, {count: 4}]},
	{moves: CHAIN, cycle: [1, 5, 9], frames: [{count: 3}, {count: 4}]},
	{moves: CHAIN, cycle: [1, 5, 9], outcomes: {
		1: [["O4", 1], ["X1", 5], ["O2", 9], ["X3", 6]],
		9: [["O4", 9], ["O2", 5], ["X1", 1], ["X3", 6]]},
	frames: [{count: 4}, {count: 4, look: 1}, {count: 4, look: 9}, {count: 4, choose: 9}]},
	{moves: ARTICLE, cycle: [1, 2, 3, 5, 6, 7, 8, 9], outcomes: {
		3: [["O8", 3], ["X7", 2], ["X3", 8], ["O2", 6], ["X5", 1], ["X1", 7], ["O6", 9], ["O4", 5]],
		5: [["O8", 5], ["O4", 9], ["O6", 7], ["X1", 1], ["X5", 6], ["O2", 8], ["X3", 2], ["X7", 3]]},
	lines: [{mark: "O", squares: [7, 8, 9], max: 6, points: "1"}, {mark: "X", squares: [1, 2, 3], max: 7, points: "½"}],
	frames: [{count: 8}, {count: 8, look: 3}, {count: 8, look: 5}, {count: 8, choose: 5}, {count: 8, choose: 5, isEnd: true}]},
];

const name = (i) => `${i % 2 ? "O" : "X"}${i + 1}`;

/* The board as the server would tell it after so many moves of a lesson. */
export function position({moves, cycle}, count) {
	const squares = Array.from({length: 9}, () => []);
	moves.slice(0, count).forEach((pair, i) => pair.forEach((square) => squares[square - 1].push(name(i))));
	const isClosed = cycle && count === moves.length;
	return {squares, cycle: isClosed ? cycle : null, choices: isClosed ? moves[count - 1] : null};
}

export function measured(lesson, choice) {
	const {squares} = position(lesson, lesson.moves.length);
	return {squares: measuredSquares(squares, lesson.outcomes[choice]), cycle: null, choices: null};
}

function caption(lesson, {count, look, choose}) {
	const chosen = look || choose;
	const by = chosen && other(name(count - 1)[0]);
	if (chosen) {
		return t(look ? "if_chosen" : "told_collapsed", {player: by, marks: places(lesson.outcomes[chosen])});
	}
	if (!count) return t("start");
	const mark = name(count - 1);
	return t("told_moved", {player: mark[0], mark, squares: joined(lesson.moves[count - 1])});
}

export class Tutorial {
	constructor(app, at = 0) {
		Object.assign(this, {app, at, frame: 0, isPlaying: !isStill(), timer: null});
		this.drawing = new Drawing();
		this.heading = h("h1", {tabindex: -1});
		this.text = h("p", {class: "lesson"});
		this.caption = h("p", {class: "status"});
		this.count = h("span", {class: "note"});
		this.back = button("", "quiet", () => this.turn(-1));
		this.play = button("", "quiet", () => this.toggle());
		this.next = button("", "main", () => this.turn(1));
		this.element = h("main", {class: "tutorial"},
			h("div", {class: "stage"}, this.drawing.element),
			h("div", {class: "page"}, this.count, this.heading, this.text, this.caption,
				h("div", {class: "acts"}, this.back, this.play, this.next)));
		this.turn(0);
	}

	turn(by) {
		const at = this.at + by;
		if (at < 0 || at >= LESSONS.length) return this.app.go("");
		this.at = at;
		const n = at + 1;
		this.frame = 0;
		this.heading.textContent = t(`lesson${n}`);
		this.text.textContent = t(`lesson${n}_text`);
		this.count.textContent = t("lesson_of", {n, all: LESSONS.length});
		this.back.textContent = t(at ? "back" : "to_lobby");
		this.next.textContent = t(n < LESSONS.length ? "next" : "to_play");
		this.app.title(this.heading.textContent);
		if (by) this.app.say(`${this.heading.textContent}. ${this.text.textContent}`);
		this.show();
	}

	toggle() {
		const {frames} = LESSONS[this.at];
		this.isPlaying = !this.isPlaying;
		if (this.isPlaying) {
			this.frame = (this.frame + 1) % frames.length;
			if (isStill()) this.isPlaying = false;
		}
		this.show();
	}

	show() {
		clearTimeout(this.timer);
		const lesson = LESSONS[this.at];
		const frame = lesson.frames[this.frame];
		const {count, look, choose, isEnd} = frame;
		if (choose && !isEnd) {
			this.drawing.show(position(lesson, count), {});
			this.drawing.collapse(lesson.outcomes[choose], measured(lesson, choose));
		} else {
			const board = choose ? measured(lesson, choose) : position(lesson, count);
			this.drawing.show(board, {preview: look && lesson.outcomes[look], lines: isEnd ? lesson.lines : []});
		}
		this.caption.textContent = isEnd ? t("lesson_end") : caption(lesson, frame);
		this.play.textContent = t(isStill() ? "step_on" : this.isPlaying ? "pause" : "play");
		if (!this.isPlaying) return;
		const wait = choose && !isEnd ? 2 * FRAME_MS : FRAME_MS;
		const isLast = this.frame === lesson.frames.length - 1;
		this.timer = setTimeout(() => {
			this.frame = isLast ? 0 : this.frame + 1;
			this.show();
		}, isLast ? 2 * wait : wait);
	}

	close() {
		clearTimeout(this.timer);
		this.drawing.stop();
	}
}
