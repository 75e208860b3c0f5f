/* A room: its board, players, clocks, chat and what one may do there. */

import {Drawing, Squares, button, h, miniature} from "./board.js";
import {Room, other, record} from "./client.js";
import {half, t, tellRefusal} from "./words.js";

const LOW_MS = 20000;
const SURE_MS = 4000;

export const clockWords = (clock) => clock
	? `${clock.base_ms / 60000}+${clock.increment_ms / 1000}` : t("no_clock");

export function showTime(ms) {
	const tenths = Math.ceil(ms / 100);
	if (tenths < LOW_MS / 100) return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
	const seconds = Math.ceil(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/* Not broken at the end of a line. */
export const joined = (squares) => squares.join("\u2060–\u2060");
export const places = (measured) => measured.map(([mark, square]) => `${mark} → ${square}`).join(", ");

const gives = (outcome) => ` ${t("gives", {marks: places(outcome.slice(1))})}`;
const tellOutcome = (outcome) => places(outcome.slice(0, 1)) + gives(outcome);

export const tellStep = ({type, by, move, squares, square}) => type === "moved"
	? `${by}${move} ${joined(squares)}` : t("step_measured", {mark: `${other(by)}${move}`, square});

/* Why the score is what it is. */
export function tellResult({reason, cause, score, lines}, nameOf) {
	if (reason === "aborted") return t(`cause_${cause}`) || t("cause_request");
	const [first, second] = lines;
	const told = (line) => ({...line, player: nameOf(line.mark), line: joined(line.squares),
		last: `${line.mark}${line.max}`});
	const numbers = {X: half(score.X), O: half(score.O)};
	if (reason === "line" && second) {
		const [a, b] = [told(first), told(second)];
		const key = first.mark !== second.mark ? "result_both"
			: first.max === second.max ? "result_cross" : "result_two";
		return t(key, {...numbers, first: a.player, line1: a.line, last1: a.last, second: b.player,
			line2: b.line, last2: b.last});
	}
	if (reason === "line") return t("result_line", {...numbers, ...told(first)});
	const winner = score.X > score.O ? "X" : "O";
	return t(`result_${reason}`, {...numbers, player: nameOf(winner), loser: nameOf(other(winner))});
}

/* Each line with what it earned. */
export function pricedLines({reason, lines}) {
	if (reason !== "line") return [];
	const least = lines[0]?.max;
	return lines.map((line) => ({...line, points: line.max === least ? "1" : half(0.5)}));
}

/* What the words for an event need beside its members. */
const TOLD = {
	started: ({players}) => players,
	moved: ({by, move, squares}) => ({mark: `${by}${move}`, squares: joined(squares)}),
	collapsed: ({measured}) => ({marks: places(measured)}),
	ended: (event, nameOf) => ({result: tellResult(event, nameOf)}),
};

/* An event in words, for who listens; "" for what need not be told. */
export function tellEvent(event, nameOf) {
	const {type, by, player, online} = event;
	if (type === "presence") return player ? t(online ? "told_here" : "told_away", {player}) : "";
	if (type === "said") return `${player}: ${event.text}`;
	return t(`told_${type}`, {...event, player: player ?? nameOf(by), ...TOLD[type]?.(event, nameOf)});
}

/* A square in words. */
export function tellSquare(square, held) {
	if (typeof held === "string") return t("square_classical", {square, mark: held});
	return held.length ? t("square_spooky", {square, marks: held.join(", ")}) : t("square_empty", {square});
}

class Plate {
	constructor(seat) {
		this.seat = seat;
		this.letter = h("span", {class: `letter ${seat.toLowerCase()}`}, seat);
		this.name = h("bdi", {class: "name"});
		this.note = h("span", {class: "note"});
		this.clock = h("span", {class: "clock", role: "timer"});
		this.points = h("strong", {class: "points"});
		this.element = h("div", {class: "plate"}, this.letter,
			h("div", {class: "who"}, this.name, this.note), this.points, this.clock);
	}

	update(room, you) {
		const player = room.players[this.seat];
		const rating = player?.rating;
		const change = room.ratings?.[this.seat];
		const {score} = room.result || {};
		this.name.textContent = player?.name || t("free_seat");
		const notes = [player && player.name === you && t("you"),
			change ? `${Math.round(change.before)} → ${Math.round(change.after)}` : rating && Math.round(rating),
			player && !player.online && t("away")];
		this.note.textContent = notes.filter(Boolean).join(" · ");
		this.points.textContent = score ? half(score[this.seat]) : "";
		this.element.classList.toggle("turn", room.status === "playing" && room.board?.turn === this.seat);
		this.element.classList.toggle("gone", Boolean(player && !player.online));
		this.tick(room);
	}

	tick(room) {
		const left = room.left(this.seat);
		const shown = left === null ? "" : showTime(left);
		if (this.clock.textContent !== shown) this.clock.textContent = shown;
		this.clock.classList.toggle("low", left !== null && left < LOW_MS && room.status === "playing");
		return left;
	}
}

export class Play {
	constructor(app, id) {
		Object.assign(this, {app, client: app.client, id, chosen: [], hinted: null, pending: null,
			viewing: null, study: null});
		this.room = new Room(id);
		this.stop = new AbortController();
		this.drawing = new Drawing();
		this.squares = new Squares({label: t("board"), press: (...all) => this.press(...all),
			hint: (square) => this.hint(square)});
		this.build();
		const on = (type, act, what = this.client) => what.addEventListener(type, act, this.stop);
		on("event", ({detail}) => this.heard(detail));
		on("up", () => this.follow());
		for (const type of ["up", "down", "you"]) on(type, () => this.update());
		on("keydown", (event) => this.key(event), document);
		this.timer = setInterval(() => this.tick(), 100);
		if (this.client.isUp) this.follow();
	}

	build() {
		this.heading = h("h1", {tabindex: -1}, t("room_title", {room: this.id}));
		this.plates = {X: new Plate("X"), O: new Plate("O")};
		this.status = h("p", {class: "status"}, t("loading"));
		this.choices = h("div", {class: "choices", hidden: true});
		this.acts = h("div", {class: "acts"});
		this.share = h("div", {class: "share", hidden: true});
		this.moves = h("ol", {class: "moves"});
		this.log = h("div", {class: "log", tabindex: 0, role: "log", "aria-live": "off", "aria-label": t("chat")});
		this.line = h("input", {class: "line", maxlength: 200, autocomplete: "off",
			"aria-label": t("chat_line"), placeholder: t("chat_line")});
		const form = h("form", {class: "say", onsubmit: (event) => this.sayLine(event)}, this.line,
			h("button", {class: "quiet"}, t("send")));
		this.chatNote = h("p", {class: "note"});
		this.studyPlace = h("section", {class: "study", hidden: true});
		this.watching = h("span", {class: "note"});
		this.element = h("main", {class: "room"},
			h("div", {class: "over"}, this.heading, this.watching),
			h("div", {class: "plates"}, this.plates.X.element, this.plates.O.element),
			h("div", {class: "stage"}, this.drawing.element, this.squares.element),
			h("div", {class: "under"}, this.status, this.choices, this.share, this.acts),
			h("div", {class: "side"}, this.studyPlace,
				h("section", {class: "told"}, h("h2", {}, t("moves")), this.moves),
				h("section", {class: "chat"}, h("h2", {}, t("chat")), this.log, this.chatNote, form)));
	}

	close() {
		this.stop.abort();
		clearInterval(this.timer);
		this.drawing.stop();
		this.study?.close();
		if (!this.seat && this.client.isUp && this.room.isKnown) {
			this.client.ask({type: "leave", room: this.id}).catch(() => {});
		}
	}

	get seat() {
		return this.room.seatOf(this.client.you);
	}

	get isMyTurn() {
		const {room} = this;
		return this.client.isUp && room.status === "playing" && this.seat !== null && room.board.turn === this.seat;
	}

	nameOf(seat) {
		return this.room.players[seat]?.name || seat;
	}

	/* All that is new, then the state: the first time, and whenever something was missed. */
	async follow() {
		try {
			const {state} = await this.client.ask({type: "watch", room: this.id, since: this.room.seq});
			this.room.take(state);
			this.app.keep(state);
			const {move, phase} = this.room.board;
			if (this.pending?.move !== move || this.pending.phase !== phase) this.pending = null;
			this.update();
		} catch (refusal) {
			if (refusal.code === "lost") return;
			this.status.textContent = tellRefusal(refusal);
			if (!this.room.isKnown) this.element.dataset.status = "missing";
			this.acts.replaceChildren(h("a", {class: "button", href: "#"}, t("to_lobby")));
		}
	}

	heard(event) {
		const {room} = this;
		if (event.room !== this.id) return;
		if (event.type === "state") {
			if (event.seq > room.seq) this.follow();
			return;
		}
		const was = room.board;
		const what = room.apply(event);
		if (what === "gap") this.follow();
		if (what !== "new") return;
		if (event.type === "moved" || event.type === "collapsed") {
			this.pending = null;
			this.chosen = [];
		}
		if (!room.isKnown) return;
		this.app.say(tellEvent(event, (seat) => this.nameOf(seat)));
		if (event.type === "collapsed") {
			this.drawing.board = was;
			this.drawing.collapse(event.measured, room.board, () => this.drawBoard());
		}
		this.update();
		if (["moved", "collapsed", "started"].includes(event.type)) this.sayTurn();
		if (event.type === "rematch" && this.seat) this.app.go(event.new);
	}

	sayTurn() {
		if (this.isMyTurn) this.app.say(this.statusWords());
	}

	/* What there is to see. */

	update() {
		const {room} = this;
		if (!room.isKnown) return;
		const you = this.client.you;
		this.element.dataset.status = room.status;
		this.plates.X.update(room, you);
		this.plates.O.update(room, you);
		this.heading.textContent = room.title || (room.players.X && room.players.O
			? `${this.nameOf("X")} – ${this.nameOf("O")}` : t("room_title", {room: this.id}));
		const about = [clockWords(room.settings.clock), room.private && t("private"),
			room.spectators > 0 && t("watchers", {n: room.spectators})];
		this.watching.textContent = about.filter(Boolean).join(" · ");
		this.status.textContent = this.statusWords();
		this.app.title(this.isMyTurn ? `● ${t("your_turn")}` : this.heading.textContent);
		this.drawBoard();
		this.setSquares();
		this.setChoices();
		this.setShare();
		this.setActs();
		this.setMoves();
		this.setChat();
		this.setStudy();
	}

	statusWords() {
		const {room, seat} = this;
		if (room.status === "waiting") return this.waitingWords();
		if (room.status === "over") return tellResult(room.result, (one) => this.nameOf(one));
		const {turn, phase, move, choices} = room.board;
		const data = {player: this.nameOf(turn), mark: `${phase === "collapse" ? other(turn) : turn}${move}`,
			a: choices?.[0], b: choices?.[1], square: this.chosen[0]};
		if (this.pending) return t("pending");
		if (phase === "collapse") return t(turn === seat ? "turn_measure" : "other_measures", data);
		if (turn !== seat) return t("other_moves", data);
		if (this.open.length === 1) return t("turn_last", {...data, square: this.open[0]});
		return t(this.chosen.length ? "turn_second" : "turn_first", data);
	}

	waitingWords() {
		if (this.seat) return t(this.room.opponent ? "waiting_for" : "waiting", {player: this.room.opponent});
		const {opponent} = this.room;
		const host = this.nameOf(this.room.players.X ? "X" : "O");
		if (opponent && opponent !== this.client.you) return t("kept", {player: opponent});
		return t("invites", {player: host, seat: this.room.players.X ? "O" : "X"});
	}

	/* The squares without a classical mark. */
	get open() {
		return [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((n) => typeof this.room.board.squares[n - 1] !== "string");
	}

	drawBoard() {
		const {room, drawing} = this;
		if (this.viewing) return drawing.show(this.viewing, {});
		if (!drawing.isMoving) drawing.show(room.board, this.options());
	}

	options() {
		const {board, status, result} = this.room;
		if (status === "over") return {lines: pricedLines(result)};
		if (board.phase === "collapse") {
			const square = this.pending?.square ?? this.hinted;
			const i = board.choices.indexOf(square);
			return i < 0 ? {} : {preview: board.outcomes[i]};
		}
		if (this.pending?.squares) return {tentative: {mark: this.pending.mark, squares: this.pending.squares}};
		if (!this.isMyTurn || !this.chosen.length) return {};
		const second = this.open.includes(this.hinted) ? [this.hinted] : [];
		return {chosen: this.chosen, tentative: {mark: `${board.turn}${board.move}`, squares: [...this.chosen, ...second]}};
	}

	setSquares() {
		const {board} = this.room;
		const shown = this.viewing || board;
		const isMine = this.isMyTurn && !this.pending && !this.viewing;
		this.squares.set(shown.squares.map((held, i) => {
			const square = i + 1;
			const isOpen = isMine && (board.phase === "collapse"
				? board.choices.includes(square) : typeof held !== "string");
			const outcome = board.phase === "collapse" && !this.viewing && board.outcomes[board.choices.indexOf(square)];
			const label = tellSquare(square, held) + (outcome ? `. ${tellOutcome(outcome)}` : "");
			return {label, isOpen, isPressed: this.chosen.includes(square)};
		}));
	}

	setChoices() {
		const {board, status} = this.room;
		const isDue = status === "playing" && board.phase === "collapse" && !this.viewing;
		this.choices.hidden = !isDue;
		const key = isDue ? `${board.move} ${this.isMyTurn} ${Boolean(this.pending)}` : "";
		if (key === this.choicesKey) return;
		this.choicesKey = key;
		if (!isDue) return this.choices.replaceChildren();
		const mayChoose = this.isMyTurn && !this.pending;
		const squares = board.squares.map((held) => typeof held === "string" ? held : []);
		this.choices.replaceChildren(...board.choices.map((square, i) => {
			const outcome = board.outcomes[i];
			const [look, leave] = [() => this.hint(square), () => this.hint(null)];
			return button([miniature({squares}, {preview: outcome}), h("span", {}, places(outcome.slice(0, 1))),
				h("span", {class: "unseen"}, gives(outcome))], "choice", () => this.press(square), {
				"aria-disabled": String(!mayChoose), onfocus: look, onblur: leave, onpointerenter: look, onpointerleave: leave});
		}));
	}

	setShare() {
		const {room} = this;
		const isHere = room.status === "waiting" && this.seat && !room.opponent;
		this.share.hidden = !isHere;
		if (!isHere || this.share.firstChild) return;
		const link = h("input", {readonly: true, class: "line", "aria-label": t("copy_link"),
			onfocus: () => link.select()});
		link.value = this.app.linkTo(this.id);
		this.share.append(link, button(t("copy_link"), "main", () => this.app.copy(link.value, t("link_copied"))));
	}

	/* What may be done now, as [key, words, kind, what]. */
	actsNow() {
		const {room, seat, client} = this;
		const ask = (type, more) => () => this.ask({type, room: this.id, ...more});
		const acts = [];
		if (room.status === "waiting") {
			if (seat) return [["leave", t("call_off"), "quiet", () => this.leave()]];
			const {opponent} = room;
			if (opponent && opponent !== client.you) return acts;
			acts.push(["join", t("join"), "main", () => this.join()]);
			if (opponent) acts.push(["decline", t("decline"), "quiet", ask("decline")]);
			return acts;
		}
		if (room.status === "playing" && seat) {
			const mine = room.draw_offer === seat;
			const theirs = room.draw_offer === other(seat);
			if (theirs) {
				acts.push(["yes", t("accept_draw"), "main", ask("draw", {accept: true})],
					["no", t("decline"), "quiet", ask("draw", {accept: false})]);
			}
			const foe = room.players[other(seat)];
			if (foe && !foe.online && room.board.turn === other(seat)) {
				acts.push(["claim", this.claimWords(), "main", ask("claim")]);
			}
			if (!theirs) acts.push(["draw", t(mine ? "draw_offered" : "offer_draw"), "quiet", mine ? null : ask("draw")]);
			if (room.board.move <= 2 && room.steps.length < 2) acts.push(["abort", t("abort"), "quiet", ask("abort")]);
			else acts.push(["resign", t(this.isSure ? "resign_sure" : "resign"), this.isSure ? "grave" : "quiet", () => this.resign()]);
		}
		if (room.status === "over") {
			if (seat && !room.next) {
				const mine = room.rematchBy === seat;
				acts.push(["rematch", t(mine ? "rematch_asked" : room.rematchBy ? "accept_rematch" : "rematch"),
					"main", mine ? null : ask("rematch")]);
			}
			if (room.next) acts.push(["next", t("next_game"), "main", () => this.app.go(room.next)]);
			if (room.steps.length && room.hasAll) {
				acts.push(["record", t("copy_record"), "quiet",
					() => this.app.copy(record(room.steps, room.result), t("record_copied"))]);
			}
			acts.push(["lobby", t("to_lobby"), "quiet", () => this.app.go("")]);
		}
		return acts;
	}

	claimWords() {
		const at = this.room.claimAt[other(this.seat)];
		const left = at ? at - performance.now() : 0;
		return left > 0 ? t("claim_in", {time: showTime(left)}) : t("claim");
	}

	setActs() {
		const acts = this.actsNow();
		const key = acts.map(([name]) => name).join(" ");
		if (key !== this.actsKey) {
			this.actsKey = key;
			const had = this.acts.contains(document.activeElement);
			this.actButtons = new Map(acts.map(([name]) => [name, button("", "", null, {"data-act": name})]));
			this.acts.replaceChildren(...this.actButtons.values());
			if (had) this.squares.buttons[this.squares.at].focus();
		}
		for (const [name, words, kind, act] of acts) {
			const button = this.actButtons.get(name);
			if (button.textContent !== words) button.textContent = words;
			button.className = kind;
			button.disabled = !act || !this.client.isUp;
			button.onclick = act;
		}
	}

	setMoves() {
		const {steps} = this.room;
		while (this.moves.children.length > steps.length) this.moves.lastChild.remove();
		for (const step of steps.slice(this.moves.children.length)) {
			this.moves.append(h("li", {class: step.type === "moved" ? step.by.toLowerCase() : "measured"}, tellStep(step)));
		}
		this.moves.parentNode.hidden = !steps.length;
	}

	setChat() {
		const {chat, status} = this.room;
		const atEnd = this.log.scrollTop + this.log.clientHeight > this.log.scrollHeight - 30;
		if (this.chatShown !== chat) {
			this.chatShown = chat;
			this.log.replaceChildren(...chat.map(({player, seat, text}) => h("p", {},
				h("bdi", {class: `by ${seat?.toLowerCase() || ""}`}, player), " ", h("span", {dir: "auto"}, text))));
		}
		this.chatNote.textContent = !this.seat && status === "playing" ? t("chat_watchers") : "";
		if (atEnd) this.log.scrollTop = this.log.scrollHeight;
	}

	async setStudy() {
		const {room} = this;
		if (room.status !== "over" || this.study || this.isLoadingStudy || !room.board.move) return;
		this.isLoadingStudy = true;
		const {Study} = await import("./study.js").catch(() => ({}));
		if (this.stop.signal.aborted || !Study) return;
		this.study = new Study(this.client, room, (board, words) => {
			this.viewing = board;
			this.status.textContent = words || this.statusWords();
			this.drawBoard();
			this.setSquares();
		});
		this.studyPlace.append(this.study.element);
		this.studyPlace.hidden = false;
	}

	tick() {
		const {room} = this;
		if (!room.isKnown) return;
		const {X, O} = this.plates;
		const left = {X: X.tick(room), O: O.tick(room)};
		if (this.actButtons?.has("claim")) this.actButtons.get("claim").textContent = this.claimWords();
		const isLow = this.isMyTurn && left[this.seat] !== null && left[this.seat] < LOW_MS;
		if (isLow && !this.wasLow) this.app.say(t("low_time"));
		this.wasLow = isLow;
	}

	/* What one does. */

	hint(square) {
		this.hinted = square;
		if (this.room.isKnown && this.room.status === "playing" && !this.viewing && !this.drawing.isMoving) this.drawBoard();
	}

	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input,textarea,select,dialog")) return;
		if (/^[1-9]$/.test(event.key)) {
			this.squares.focus(+event.key);
			if (this.room.board?.phase !== "collapse") this.press(+event.key);
		} else if (event.key === "Escape" && this.chosen.length) {
			this.chosen = [];
			this.app.say(t("unchosen"));
			this.update();
		}
	}

	press(square, isOnlyLooking) {
		const {room} = this;
		this.drawing.stop();
		if (!this.isMyTurn || this.viewing || this.pending || isOnlyLooking && room.board.phase === "collapse") return;
		const {phase, choices} = room.board;
		if (phase === "collapse") {
			if (choices.includes(square)) this.act({type: "collapse", square});
			return;
		}
		if (!this.open.includes(square)) return this.app.say(t("square_is_closed", {square}));
		if (this.open.length === 1) return this.act({type: "move", squares: [square]});
		if (this.chosen.includes(square)) this.chosen = [];
		else if (this.chosen.length) return this.act({type: "move", squares: [this.chosen[0], square]});
		else this.chosen = [square];
		this.app.say(this.chosen.length ? this.statusWords() : t("unchosen"));
		this.update();
	}

	/* The number says which move is meant: sent twice it is played once. */
	act(request) {
		const {board} = this.room;
		this.pending = {...request, move: board.move, phase: board.phase, mark: `${board.turn}${board.move}`};
		this.chosen = [];
		this.update();
		return this.ask({...request, room: this.id, move: board.move});
	}

	async ask(request) {
		try {
			const answer = await this.client.ask(request);
			if (answer.type === "error") this.pending = null;
			return answer;
		} catch (refusal) {
			this.pending = null;
			if (refusal.seq > this.room.seq) this.follow();
			else if (refusal.board) this.room.board = refusal.board;
			this.app.toast(tellRefusal(refusal));
			this.update();
			return null;
		}
	}

	async join() {
		if (await this.ask({type: "join", room: this.id})) {
			await this.follow();
			this.sayTurn();
			this.squares.buttons[4].focus({preventScroll: true});
		}
	}

	async leave() {
		if (!await this.ask({type: "leave", room: this.id})) return;
		this.app.mine.delete(this.id);
		this.app.go("");
	}

	resign() {
		if (this.isSure) return this.ask({type: "resign", room: this.id});
		this.isSure = true;
		this.update();
		setTimeout(() => {
			this.isSure = false;
			this.update();
		}, SURE_MS);
		return null;
	}

	async sayLine(event) {
		event.preventDefault();
		const text = this.line.value.trim();
		if (!text) return;
		if (await this.ask({type: "say", room: this.id, text})) this.line.value = "";
	}
}
