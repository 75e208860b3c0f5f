/* A board as a drawing, and nothing about how the game goes on. The first half is pure: what is to
 * be seen. The second makes elements of it. */

const SQUARE = 120;
const PLACE = 33;
const EDGE = 10.5 + PLACE / 2;
const SIZE = 3 * SQUARE;
/* Of a measurement: one mark, and at most all of them. */
const SLOW_MS = 420;
const ALL_MS = 2400;

/* The column and the row of 1 to 9. */
const cell = (n) => [(n - 1) % 3, Math.floor((n - 1) / 3)];

/* Each mark has its place in every square, by its subscript: so nothing moves when others come. */
export function placeOf(square, move) {
	const inner = cell(move);
	return cell(square).map((at, i) => at * SQUARE + EDGE + inner[i] * PLACE);
}

export const centreOf = (square) => cell(square).map((at) => (at + 0.5) * SQUARE);

/* The spooky marks: mark -> its squares. */
export function entanglements(squares) {
	const found = new Map();
	squares.forEach((held, i) => {
		if (typeof held === "string") return;
		for (const mark of held) found.set(mark, [...found.get(mark) || [], i + 1]);
	});
	return found;
}

/* The squares of a board after the first `count` marks of a measurement have found their place. */
export function measuredSquares(squares, measured, count = measured.length) {
	const placed = measured.slice(0, count);
	const gone = new Set(placed.map(([mark]) => mark));
	const next = squares.map((held) => typeof held === "string"
		? held : held.filter((mark) => !gone.has(mark)));
	for (const [mark, square] of placed) next[square - 1] = mark;
	return next;
}

/* From place to place, bent so that it does not run through what stands between. */
export function bow([x1, y1], [x2, y2], move) {
	const [dx, dy] = [x2 - x1, y2 - y1];
	const length = Math.hypot(dx, dy) || 1;
	const bend = (length > 1.6 * SQUARE ? 0.16 : 0.1) * length * (move % 2 ? 1 : -1);
	const middle = [(x1 + x2) / 2 - dy / length * bend, (y1 + y2) / 2 + dx / length * bend];
	const toward = ([x, y]) => {
		const far = Math.hypot(middle[0] - x, middle[1] - y) || 1;
		return [x + (middle[0] - x) / far * 12, y + (middle[1] - y) / far * 12];
	};
	const round = (point) => point.map((n) => Math.round(n * 10) / 10).join(" ");
	return `M${round(toward([x1, y1]))}Q${round(middle)} ${round(toward([x2, y2]))}`;
}

/* What is to be seen: a list of [key, name of a shape, its data], in the order of drawing. */
export function scene(board, {preview, lines = [], tentative, chosen = []} = {}) {
	const shapes = [];
	const lit = new Set(board.cycle || []);
	const ghosts = new Map(preview || []);
	const taken = new Set(ghosts.values());
	const add = (layer, key, shape, data) => shapes.push({layer, key, shape, data});
	board.squares.forEach((held, i) => {
		const square = i + 1;
		const isChoice = board.choices?.includes(square);
		if (lit.has(square)) add(0, `cycle${square}`, "tile", {square, kind: isChoice ? "either" : "lit"});
		if (typeof held === "string") {
			add(2, `${held}@${square}`, "classical", {mark: held, square});
		} else if (held.length === 0 && !taken.has(square)) {
			add(0, `number${square}`, "number", {square});
		}
	});
	for (const square of chosen) add(0, `chosen${square}`, "tile", {square, kind: "chosen"});
	for (const [mark, squares] of entanglements(board.squares)) {
		const isLit = squares.every((square) => lit.has(square));
		const isDim = ghosts.has(mark);
		if (squares.length === 2) {
			add(1, `link${mark}${isLit}${isDim}`, "link", {mark, squares, isLit, isDim});
		}
		for (const square of squares) {
			add(2, `${mark}~${square}${isDim}`, "spooky", {mark, square, isDim});
		}
	}
	if (tentative) {
		const {mark, squares} = tentative;
		if (squares.length === 2 && squares[0] !== squares[1]) {
			add(1, `may${mark}${squares}`, "link", {mark, squares, isTentative: true});
		}
		for (const square of new Set(squares)) {
			add(2, `may${mark}@${square}`, "spooky", {mark, square, isTentative: true});
		}
	}
	for (const [mark, square] of ghosts) {
		add(3, `ghost${mark}@${square}`, "classical", {mark, square, isGhost: true});
	}
	lines.forEach((line, i) => add(3, `line${i}`, "line", line));
	return shapes.sort((a, b) => a.layer - b.layer);
}

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value === undefined || value === null || value === false) continue;
		if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
		else element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...children.flat(2).filter((child) => child || child === 0));
	return element;
}

/* What children are text becomes text, whatever is in it. */
export const h = (tag, attributes, ...children) =>
	fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) =>
	fill(document.createElementNS(SVG, tag), attributes, children);
export const button = (words, kind, onclick, more) =>
	h("button", {type: "button", class: kind, onclick, ...more}, words);

const seatOf = (mark) => mark[0].toLowerCase();

const named = (...names) => names.filter(Boolean).join(" ");

const DRAW = {
	tile: ({square, kind}) => {
		const [x, y] = centreOf(square);
		return svg("rect", {class: `tile ${kind}`, x: x - 57, y: y - 57, width: 114, height: 114, rx: 10});
	},
	number: ({square}) => {
		const [x, y] = centreOf(square);
		return svg("text", {class: "number", x, y: y + 12}, `${square}`);
	},
	link: ({mark, squares, isLit, isDim, isTentative}) => {
		const move = +mark.slice(1);
		const d = bow(placeOf(squares[0], move), placeOf(squares[1], move), move);
		return svg("path", {class: named("link", seatOf(mark), isLit && "lit", isDim && "dim", isTentative && "may"), d});
	},
	spooky: ({mark, square, isDim, isTentative}) => {
		const [x, y] = placeOf(square, +mark.slice(1));
		return svg("text", {class: named("spooky", seatOf(mark), isDim && "dim", isTentative && "may"), x: x - 3, y: y + 7},
			mark[0], svg("tspan", {class: "sub", dy: 4}, mark.slice(1)));
	},
	classical: ({mark, square, isGhost}) => {
		const [x, y] = centreOf(square);
		const shape = mark[0] === "X"
			? svg("path", {pathLength: 1, d: `M${x - 28} ${y - 30}L${x + 26} ${y + 26}M${x + 26} ${y - 30}L${x - 28} ${y + 26}`})
			: svg("circle", {pathLength: 1, cx: x - 1, cy: y - 2, r: 29});
		return svg("g", {class: named("classical", seatOf(mark), isGhost && "ghost")}, shape,
			svg("text", {class: "sub", x: x + 39, y: y + 46}, mark.slice(1)));
	},
	line: ({mark, squares, max, points}) => {
		const [from, to] = [centreOf(squares[0]), centreOf(squares[2])];
		const [dx, dy] = [to[0] - from[0], to[1] - from[1]].map((n) => Math.sign(n) * 46);
		const end = ([x, y], sign) => [x + dx * 0.9 * sign, y + dy * 0.9 * sign];
		const [bx, by] = end(to, 1);
		const [tx, ty] = end(from, -1);
		return svg("g", {class: `win ${mark.toLowerCase()}`},
			svg("path", {d: `M${from[0] - dx} ${from[1] - dy}L${to[0] + dx} ${to[1] + dy}`}),
			svg("circle", {cx: bx, cy: by, r: 13}),
			svg("text", {x: bx, y: by + 5}, points),
			svg("rect", {x: tx - 22, y: ty - 11, width: 44, height: 22, rx: 11}),
			svg("text", {class: "time", x: tx, y: ty + 5}, `t = ${max}`));
	},
};

function grid() {
	const lines = [1, 2].map((n) =>
		`M${n * SQUARE} 6V${SIZE - 6}M6 ${n * SQUARE}H${SIZE - 6}`);
	return svg("path", {class: "grid", d: lines.join("")});
}

/* A drawing that does not change: for a choice, or a list. */
export function miniature(board, options) {
	return svg("svg", {class: "board mini", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true"},
		grid(), scene(board, options).map(({shape, data}) => DRAW[shape](data)));
}

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Drawing {
	constructor() {
		this.layers = [0, 1, 2, 3].map(() => svg("g"));
		this.element = svg("svg", {class: "board", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true"},
			this.layers[0], grid(), this.layers.slice(1));
		this.shown = new Map();
		this.board = null;
	}

	/* What stays stays the same element, so only what is new moves. */
	draw(board, options) {
		const keep = new Set();
		for (const {layer, key, shape, data} of scene(board, options)) {
			keep.add(key);
			if (this.shown.has(key)) continue;
			const element = DRAW[shape](data);
			this.shown.set(key, element);
			this.layers[layer].append(element);
		}
		for (const [key, element] of this.shown) {
			if (keep.has(key)) continue;
			this.shown.delete(key);
			element.remove();
		}
		this.element.classList.toggle("previewing", Boolean(options?.preview));
	}

	show(board, options) {
		this.stop();
		this.board = board;
		this.draw(board, options);
	}

	/* A measurement, mark after mark in the order in which they force each other; then `done`. */
	collapse(measured, after, done) {
		this.stop();
		const before = this.board;
		const pace = Math.min(SLOW_MS, ALL_MS / measured.length);
		const step = (count) => {
			if (!before || isStill() || count > measured.length) {
				this.show(after);
				return done?.();
			}
			this.draw({...before, squares: measuredSquares(before.squares, measured, count), choices: null});
			this.timer = setTimeout(step, pace, count + 1);
		};
		step(1);
	}

	get isMoving() {
		return this.timer;
	}

	stop() {
		clearTimeout(this.timer);
		this.timer = null;
	}
}

/* The squares as buttons above a drawing: by pointer, or keyboard (arrows, 1 to 9). */
export class Squares {
	constructor({label, press, hint}) {
		this.at = 4;
		this.buttons = Array.from({length: 9}, (_, i) => {
			const square = i + 1;
			const click = ({detail}) => press(square, detail && this.isTouch && !this.wasHinted);
			return button("", "square", click, {"data-square": square, tabindex: i === 4 ? 0 : -1,
				onpointerdown: (event) => {
					this.isTouch = event.pointerType === "touch";
					this.wasHinted = this.hinted === square;
				},
				onkeydown: (event) => this.key(event, i),
				onfocus: () => this.hint(square, hint), onblur: () => this.hint(null, hint),
				onpointerenter: (event) => event.pointerType !== "touch" && this.hint(square, hint),
				onpointerleave: (event) => event.pointerType !== "touch" && this.hint(null, hint)});
		});
		this.element = h("div", {class: "squares", role: "group", "aria-label": label}, this.buttons);
	}

	hint(square, hint) {
		this.hinted = square;
		hint(square);
	}

	key(event, i) {
		const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3}[event.key];
		if (!step) return;
		event.preventDefault();
		const isAcross = Math.abs(step) === 1 && Math.floor((i + step) / 3) !== Math.floor(i / 3);
		if (!isAcross && this.buttons[i + step]) this.focus(i + step + 1);
	}

	focus(square) {
		this.buttons[this.at].tabIndex = -1;
		this.at = square - 1;
		this.buttons[this.at].tabIndex = 0;
		this.buttons[this.at].focus();
	}

	/* Each: {label, isOpen, isPressed}. What is not open can still be reached and read. */
	set(states) {
		states.forEach(({label, isOpen, isPressed}, i) => {
			const button = this.buttons[i];
			button.setAttribute("aria-label", label);
			button.setAttribute("aria-disabled", String(!isOpen));
			button.setAttribute("aria-pressed", String(Boolean(isPressed)));
		});
	}
}
