/* The server as the page knows it: a connection that comes back by itself, requests with their
 * answers, and rooms that are kept up to date by their events. Knows no document. */

const TOKEN = "qttt.token";
const NAME = "qttt.name";
const NAME_CHARS = 20;
const WAIT_FIRST_MS = 500;
const WAIT_MOST_MS = 30000;
const SILENCE_MS = 25000;
const PATIENCE_MS = 10000;

/* Whoever asked these asks anew when the connection is back; or nobody can tell whether they were
 * carried out. All else may be sent twice: a move has its number. */
const NOT_AGAIN = new Set(["hello", "watch", "state", "lobby", "ping", "create", "say"]);

function newToken() {
	const bytes = crypto.getRandomValues(new Uint8Array(24));
	return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
}

/* How long to wait before trying for the nth time: doubled each time, varied by chance. */
export function backOff(tries, least = 0, chance = Math.random()) {
	const wait = Math.min(WAIT_MOST_MS, WAIT_FIRST_MS * 2 ** tries);
	return Math.max(least, wait / 2) + (wait / 2) * chance;
}

export class Refusal extends Error {
	constructor(answer) {
		super(answer.message || answer.code);
		Object.assign(this, answer);
	}
}

/* Tells by events "up" (hello is said), "down", "you", and those that the server sends, as `detail`. */
export class Client extends EventTarget {
	constructor(address, storage, open = (url) => new WebSocket(url)) {
		super();
		Object.assign(this, {address, storage, open, you: storage.getItem(NAME), token: storage.getItem(TOKEN), rooms: [],
			isUp: false, isEnded: false, retryAt: 0, tries: 0, asked: 0, welcome: null});
		this.waiting = new Map();
	}

	tell(type, detail) {
		this.dispatchEvent(Object.assign(new Event(type), {detail}));
	}

	connect() {
		clearTimeout(this.retry);
		if (this.socket || this.isEnded) return;
		const socket = this.socket = this.open(this.address);
		this.leastWait = 0;
		this.watchSilence();
		socket.onopen = () => this.opened();
		socket.onmessage = ({data}) => {
			if (socket !== this.socket) return;
			this.watchSilence();
			this.heard(JSON.parse(data));
		};
		socket.onclose = () => socket === this.socket && this.lost();
	}

	/* Nothing heard for a while: ask for a sign of life; still nothing: the connection is dead. */
	watchSilence() {
		clearTimeout(this.silence);
		this.silence = setTimeout(() => this.probe(), SILENCE_MS);
	}

	probe() {
		if (!this.socket) return this.connect();
		clearTimeout(this.silence);
		this.silence = setTimeout(() => this.lost(), PATIENCE_MS);
		if (this.socket.readyState === 1) this.send({type: "ping"});
	}

	send(request) {
		this.socket.send(JSON.stringify(request));
	}

	async opened() {
		const socket = this.socket;
		const {token} = this;
		const known = this.rooms;
		try {
			if (token) {
				const ok = await this.askNow({type: "hello", token});
				this.rooms = ok.rooms;
				this.become(ok.name);
			} else {
				this.become(null);
			}
		} catch (refusal) {
			if (refusal.code === "lost") return null;
			const stored = this.storage.getItem(TOKEN);
			if (refusal.code !== "bad_token") {
				this.tell("refused", refusal);
			} else if (stored && stored !== token) {
				/* Another tab has claimed a name meanwhile. */
				this.token = stored;
				return this.opened();
			} else {
				this.forget();
				this.tell("void");
			}
		}
		if (socket !== this.socket) return null;
		this.isUp = true;
		this.tries = 0;
		this.tell("up", {fresh: this.rooms.filter((room) => !known.includes(room))});
		for (const [id, asked] of this.waiting) {
			if (!asked.wasSent) this.dispatch(id, asked);
		}
		return null;
	}

	lost() {
		const socket = this.socket;
		clearTimeout(this.silence);
		this.socket = null;
		this.isUp = false;
		socket?.close();
		for (const [id, asked] of this.waiting) {
			if (asked.wasSent && NOT_AGAIN.has(asked.request.type)) {
				this.waiting.delete(id);
				asked.reject(new Refusal({code: "lost"}));
			}
			asked.isAgain ||= asked.wasSent;
			asked.wasSent = false;
		}
		if (!this.isEnded) {
			const wait = backOff(this.tries++, this.leastWait);
			this.retryAt = Date.now() + wait;
			this.retry = setTimeout(() => this.connect(), wait);
		}
		this.tell("down");
	}

	heard(line) {
		const {type, re} = line;
		if (type === "ok" || type === "error") {
			if (type === "ok" && line.you && line.token) this.keep(line.you, line.token);
			const asked = this.waiting.get(re);
			if (!asked) return;
			this.waiting.delete(re);
			/* The first time it did arrive. */
			const wasDone = asked.isAgain && ["stale", "game_over"].includes(line.code);
			if (type === "ok" || wasDone) asked.resolve(line);
			else asked.reject(new Refusal(line));
			return;
		}
		if (type === "welcome") this.welcome = line;
		if (type === "bye") {
			this.leastWait = line.retry_ms || 0;
			this.isEnded = line.reason === "kicked";
		}
		this.tell(type, line);
		this.tell("event", line);
	}

	/* An answer for a request, or a Refusal. While there is no connection it waits for one. */
	ask(request) {
		return this.put(request, this.isUp);
	}

	askNow(request) {
		return this.put(request, true);
	}

	put(request, isNow) {
		return new Promise((resolve, reject) => {
			const id = ++this.asked;
			const asked = {request, resolve, reject, wasSent: false, isAgain: false};
			this.waiting.set(id, asked);
			if (isNow) this.dispatch(id, asked);
		});
	}

	dispatch(id, asked) {
		asked.wasSent = true;
		this.send({...asked.request, id});
	}

	become(name) {
		this.you = name;
		if (name) this.storage.setItem(NAME, name);
		this.tell("you");
	}

	keep(name, token) {
		this.token = token;
		this.storage.setItem(TOKEN, token);
		this.become(name);
	}

	forget() {
		this.storage.removeItem(TOKEN);
		this.storage.removeItem(NAME);
		this.token = null;
		this.rooms = [];
		this.become(null);
	}

	/* Claims a free name (after a lost answer again: by the same token), or comes back by a token. */
	async beCalled(name) {
		const isToken = name.length > NAME_CHARS;
		const token = isToken ? name : this.claim ||= newToken();
		const ok = await this.ask(isToken ? {type: "hello", token} : {type: "hello", name, token});
		this.claim = null;
		this.rooms = ok.rooms;
		this.keep(ok.name, token);
	}

	end() {
		this.isEnded = true;
		clearTimeout(this.retry);
		if (this.socket) this.lost();
	}
}

export const other = (seat) => seat === "X" ? "O" : "X";

/* A room as its events make it. What the game's rules say is the server's to know: each event
 * brings its board. */
export class Room {
	constructor(id, now = () => performance.now()) {
		Object.assign(this, {id, now, seq: 0, status: "waiting", players: {X: null, O: null},
			settings: {clock: null}, clock: null, clockAt: 0, spectators: 0, draw_offer: null,
			board: null, result: null, chat: [], steps: [], hasAll: true, rematchBy: null, next: null,
			claimAt: {}, ratings: null, isKnown: false});
	}

	take(snapshot) {
		const {X, O} = this.players;
		if (snapshot.seq < this.seq) return;
		if (snapshot.seq > this.seq) this.hasAll = false;
		Object.assign(this, snapshot, {isKnown: true});
		for (const [seat, was] of [["X", X], ["O", O]]) {
			if (this.players[seat]?.online || this.players[seat]?.name !== was?.name) {
				delete this.claimAt[seat];
			}
		}
		this.clockAt = this.now();
	}

	/* "gap": events are missing in between. "old": it was known. */
	apply(event) {
		const {seq} = event;
		if (seq) {
			if (seq <= this.seq) return "old";
			if (seq > this.seq + 1) return "gap";
			this.seq = seq;
		}
		ON[event.type]?.call(this, event);
		if (event.board) this.board = event.board;
		if (event.clock !== undefined && event.type !== "opened") {
			this.clock = event.clock;
			this.clockAt = this.now();
		}
		return "new";
	}

	seatOf(name) {
		return ["X", "O"].find((seat) => name && this.players[seat]?.name === name) || null;
	}

	/* What a clock shows now. */
	left(seat) {
		const {clock} = this;
		if (!clock) return null;
		const gone = clock.running === seat ? this.now() - this.clockAt : 0;
		return Math.max(0, clock[`${seat}_ms`] - gone);
	}

	stepped(event) {
		this.steps.push(event);
		if (this.draw_offer && this.draw_offer !== event.by) this.draw_offer = null;
	}
}

const ON = {
	opened(event) {
		this.private = event.private;
		this.title = event.title;
		this.opponent = event.opponent;
		this.settings = {clock: event.clock};
	},
	seated({seat, player}) {
		const was = this.players[seat];
		this.players = {...this.players, [seat]: {online: true, ...was, name: player}};
	},
	started() {
		this.status = "playing";
	},
	moved(event) {
		this.stepped(event);
	},
	collapsed(event) {
		this.stepped(event);
	},
	draw_offered({by}) {
		this.draw_offer = by;
	},
	draw_declined() {
		this.draw_offer = null;
	},
	ended({reason, cause, score, lines, ratings}) {
		this.status = "over";
		this.result = {reason, cause, score, lines};
		this.ratings = ratings;
		this.draw_offer = null;
		this.claimAt = {};
		const shown = (seat) => reason === "flag" && !score[seat] ? 0 : this.left(seat);
		if (this.clock) this.clock = {X_ms: shown("X"), O_ms: shown("O"), running: null};
	},
	rematch_offered({by}) {
		this.rematchBy = by;
	},
	rematch(event) {
		this.next = event.new;
	},
	presence({player, online, claim_in_ms, spectators}) {
		const seat = this.seatOf(player);
		this.spectators = spectators;
		if (!seat) return;
		this.players = {...this.players, [seat]: {...this.players[seat], online}};
		delete this.claimAt[seat];
		if (claim_in_ms !== undefined) this.claimAt[seat] = this.now() + claim_in_ms;
	},
	said({player, seat, text}) {
		this.chat = [...this.chat, {player, seat, text}].slice(-100);
	},
};

/* The record of a game in Goff's notation, from what happened in it. */
export function record(steps, result) {
	const items = steps.map(({type, by, move, squares, square}) => {
		if (type === "moved") return `${move}:${by}(${squares[0]}-${squares[1] ?? squares[0]})`;
		return `${move}c:${by}(${other(by)}${move}(${square}))`;
	});
	const {reason, score} = result || {};
	const isPlayedOut = reason === "line" || reason === "full_board";
	return items.join(",") + (isPlayedOut ? `::X(${score.X})-O(${score.O})` : "");
}

/* The same read back: who acts, and on which squares. */
export function readRecord(text) {
	const item = /(\d)(c?):([XO])\((?:([XO]\d)\((\d)\)|(\d)-(\d))\)/g;
	return [...text.matchAll(item)].map(([, move, isMeasured, by, mark, square, a, b]) => isMeasured
		? {type: "collapsed", by, move: +move, mark, square: +square}
		: {type: "moved", by, move: +move, squares: [+a, +b]});
}
