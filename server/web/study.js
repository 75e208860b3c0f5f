/* A finished game, step by step: the board after each, what it was worth, who gave away what. */

import {button, h, svg} from "./board.js";
import {readRecord} from "./client.js";
import {tellStep} from "./play.js";
import {half, t, tellRefusal} from "./words.js";

const WIDTH = 300;
const HEIGHT = 90;
const EMPTY = {move: 1, turn: "X", phase: "move", squares: Array.from({length: 9}, () => []),
	choices: null, cycle: null, outcomes: null};

/* What each step gave away: what its position was worth to whoever acted, less what became of it. */
export const givenAway = (steps, values) => steps.map(({by}, i) => {
	const lost = values[i] - values[i + 1];
	return by === "X" ? lost : 0 - lost || 0;
});

export const worth = (value) => value === 0 ? t("worth_even")
	: `${value > 0 ? "X" : "O"} +${half(Math.abs(value))}`;

/* The values as a line of steps, from 2 at the top to -1. */
export function curve(values) {
	const x = (i) => Math.round(i / Math.max(1, values.length - 1) * WIDTH);
	const y = (value) => Math.round((2.2 - value) / 3.4 * HEIGHT);
	return {points: values.map((value, i) => [x(i), y(value)]), zero: y(0)};
}

export class Study {
	/* `look(board, words)` shows a position; with null, the game as it ended. */
	constructor(client, room, look) {
		Object.assign(this, {client, room, look, steps: room.steps, values: null, at: 0, boards: new Map()});
		this.steps.forEach(({board}, i) => this.boards.set(i + 1, board));
		this.boards.set(0, EMPTY);
		this.place = h("div", {class: "curve", hidden: true});
		this.range = h("input", {type: "range", min: 0, "aria-label": t("replay"),
			oninput: () => this.go(+this.range.value)});
		this.words = h("p", {class: "note"});
		this.sum = h("p", {});
		this.list = h("ol", {class: "moves"});
		const stepper = (by, name, sign) => button(sign, "quiet", () => this.go(this.at + by), {"aria-label": t(name)});
		this.element = h("div", {}, h("h2", {}, t("replay")), this.place,
			h("div", {class: "stepper"}, stepper(-1, "step_back", "‹"), this.range, stepper(1, "step_on", "›")),
			this.words, this.sum, this.list);
		this.load();
	}

	async load() {
		if (!this.room.hasAll && !await this.loadRecord()) return this.element.remove();
		this.at = this.steps.length;
		this.range.max = this.at;
		this.range.value = this.at;
		this.show();
		try {
			const {steps} = await this.client.ask({type: "analyse", room: this.room.id, steps: true});
			this.values = steps;
		} catch (refusal) {
			this.words.textContent = tellRefusal(refusal);
		}
		if (!this.isClosed) this.show();
	}

	/* The events are gone: the record tells what was played. */
	async loadRecord() {
		try {
			const game = await this.client.ask({type: "game", room: this.room.id});
			this.record = game.record;
			this.steps = readRecord(game.record);
			this.boards.set(this.steps.length, this.room.board);
			return this.steps.length > 0;
		} catch {
			return false;
		}
	}

	async boardAt(at) {
		if (!this.boards.has(at)) {
			const items = this.record.replace(/\s|::.*/g, "").split(",").slice(0, at).join(",");
			const {board} = await this.client.ask({type: "analyse", record: items});
			this.boards.set(at, board);
		}
		return this.boards.get(at);
	}

	async go(at) {
		if (at < 0 || at > this.steps.length) return;
		this.at = at;
		this.range.value = at;
		this.mark();
		if (at === this.steps.length) return this.look(null);
		const board = await this.boardAt(at).catch(() => null);
		if (board && this.at === at && !this.isClosed) this.look(board, this.wordsAt(at));
	}

	wordsAt(at) {
		const done = at ? tellStep(this.steps[at - 1]) : t("start");
		return this.values ? `${done}: ${worth(this.values[at])}` : done;
	}

	show() {
		const {values, steps} = this;
		const lost = values && givenAway(steps, values);
		this.list.replaceChildren(...steps.map((step, i) => h("li", {class: step.by.toLowerCase()},
			button(tellStep(step), "plain", () => this.go(i + 1)),
			values && h("span", {class: "worth"}, worth(values[i + 1])),
			lost?.[i] > 0 && h("strong", {class: "lost"}, t("gave", {value: half(lost[i])})))));
		if (values) {
			const total = (seat) => lost.reduce((sum, value, i) => sum + (steps[i].by === seat ? value : 0), 0);
			this.sum.textContent = ["X", "O"].map((seat) => t(total(seat) ? "gave_all" : "gave_nothing", {
				player: this.room.players[seat]?.name || seat, value: half(total(seat))})).join(" ");
			this.drawCurve();
		}
		this.mark();
	}

	drawCurve() {
		const {points, zero} = curve(this.values);
		const path = points.map(([x, y], i) => i ? `H${x}V${y}` : `M${x} ${y}`).join("");
		this.dots = points.map(([x, y]) => svg("circle", {cx: x, cy: y, r: 3.5}));
		this.place.replaceChildren(svg("svg", {viewBox: `-8 0 ${WIDTH + 16} ${HEIGHT}`, role: "img", "aria-label": t("curve")},
			svg("path", {class: "zero", d: `M0 ${zero}H${WIDTH}`}),
			svg("text", {class: "x", x: 0, y: 12}, "X"), svg("text", {class: "o", x: 0, y: HEIGHT - 4}, "O"),
			svg("path", {class: "value", d: path}), this.dots));
		this.place.hidden = false;
	}

	mark() {
		const {at} = this;
		this.range.setAttribute("aria-valuetext", this.wordsAt(at));
		this.words.textContent = this.wordsAt(at);
		[...this.list.children].forEach((row, i) => row.classList.toggle("here", i + 1 === at));
		this.dots?.forEach((dot, i) => dot.classList.toggle("here", i === at));
	}

	close() {
		this.isClosed = true;
	}
}
