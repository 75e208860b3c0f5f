/* The page: shows what its address names, says who one is, and tells what concerns all views. The
 * lobby is here too; a room is in play.js, and what few need is loaded when it is needed. */

import {button, h, miniature} from "./board.js";
import {Client} from "./client.js";
import {Play, clockWords} from "./play.js";
import {LANGUAGES, choose, language, t, tellRefusal} from "./words.js";

const CLOCKS = ["", "1+0", "3+2", "5+3", "10+5"];
const BOTS = ["random", "good", "perfect"];
const LIVE_LINES = 4;
const TOAST_MS = 7000;
/* The article's example, which the fifth screen of the tutorial plays to its end. */
const FIGURE = {squares: [["X1", "X5"], ["X3", "X7"], ["X7", "O8"], [], ["O4", "O8"], ["O2", "X5"],
	["X1", "O6"], ["O2", "X3"], ["O4", "O6"]], cycle: [1, 2, 3, 5, 6, 7, 8, 9], choices: [3, 5]};
const ROOM = /^[2-9a-hjkmnp-z]{5,}$/;

const $ = (id) => document.getElementById(id);
const field = (words, control) => h("label", {class: "field"}, h("span", {}, words), control);
const select = (name, options) => h("select", {name}, options.map(([value, words]) => h("option", {value}, words)));
/* Whatever an address has for a name. */
const nameIn = (which = "") => new URLSearchParams(`n=${which}`).get("n").replace(/\0/g, "");
const clockSelect = () => select("clock", CLOCKS.map((clock) => [clock, clock || t("no_clock")]));

class Lobby {
	constructor(app) {
		Object.assign(this, {app, client: app.client, rooms: new Map()});
		this.stop = new AbortController();
		this.build();
		const on = (type, act) => this.client.addEventListener(type, act, this.stop);
		on("lobby", ({detail}) => this.changed(detail));
		on("up", () => this.load());
		for (const type of ["down", "you", "state", "ended"]) on(type, () => this.show());
		app.title("");
		if (this.client.isUp) this.load();
		this.show();
	}

	build() {
		const {app} = this;
		const list = (name) => {
			const body = h("ul", {class: "rooms"});
			const heading = h("h2", {}, t(name));
			return {body, element: h("section", {"data-list": name.split("_")[0]}, heading, body)};
		};
		this.lists = {mine: list("mine"), waiting: list("waiting_rooms"), playing: list("playing_rooms")};
		const matchClock = clockSelect();
		this.element = h("main", {class: "lobby"},
			h("div", {class: "hero"},
				h("div", {class: "lead"}, h("h1", {tabindex: -1}, t("lead")), h("p", {}, t("lead_more")),
					h("div", {class: "acts"},
						button(t("play_anyone"), "main", () => app.enter({type: "match", clock: matchClock.value || undefined})),
						h("label", {class: "inline"}, h("span", {}, t("clock")), matchClock)),
					h("div", {class: "acts"},
						button(t("play_friend"), "", () => app.create({private: true})),
						h("a", {class: "button", href: "#/learn"}, t("learn")))),
				h("figure", {}, miniature(FIGURE), h("figcaption", {}, t("figure")))),
			h("section", {class: "bots"}, h("h2", {}, t("play_bot")), h("div", {class: "acts"}, BOTS.map((bot) =>
				button([h("b", {}, t(`bot_${bot}`)), h("small", {}, t(`bot_${bot}_more`))], "bot",
					() => app.create({opponent: `bot-${bot}`}))))),
			h("div", {class: "lists"}, this.lists.mine.element, this.lists.waiting.element, this.lists.playing.element),
			this.form());
	}

	form() {
		const opponent = h("input", {name: "opponent", class: "line", maxlength: 20, autocomplete: "off", placeholder: t("anyone")});
		const form = h("form", {class: "new"},
			field(t("opponent"), opponent),
			field(t("side"), select("side", [["random", t("side_random")], ["X", t("side_x")], ["O", t("side_o")]])),
			field(t("clock"), clockSelect()),
			field(t("room_name"), h("input", {name: "title", class: "line", maxlength: 60, autocomplete: "off"})),
			h("label", {class: "check"}, h("input", {type: "checkbox", name: "private"}), t("private_more")),
			h("div", {class: "acts"}, h("button", {class: "main"}, t("create"))));
		form.onsubmit = (event) => {
			event.preventDefault();
			const {opponent: foe, side, clock, title, private: hidden} = form.elements;
			this.app.create({opponent: foe.value.trim() || undefined, side: side.value,
				clock: clock.value || undefined, title: title.value.trim() || undefined, private: hidden.checked || undefined});
		};
		return h("details", {class: "fold"}, h("summary", {}, t("new_game")), form);
	}

	async load() {
		try {
			const [waiting, playing] = await Promise.all([
				this.client.ask({type: "lobby", status: "waiting", follow: true}),
				this.client.ask({type: "lobby", status: "playing"})]);
			this.rooms = new Map([...waiting.rooms, ...playing.rooms].map((room) => [room.room, room]));
			this.show();
		} catch (refusal) {
			if (refusal.code !== "lost") this.app.toast(tellRefusal(refusal));
		}
	}

	changed({change, ...room}) {
		if (change === "removed") this.rooms.delete(room.room);
		else this.rooms.set(room.room, room);
		this.show();
	}

	show() {
		const {app, client, lists} = this;
		const mine = [...app.mine.values()];
		const ids = new Set(mine.map(({room}) => room));
		const others = [...this.rooms.values()].filter(({room}) => !ids.has(room));
		const fill = ({body, element}, rooms, empty) => {
			element.hidden = !rooms.length && !empty;
			const focused = body.contains(document.activeElement) && document.activeElement.hash;
			body.replaceChildren(...rooms.map((room) => this.row(room)));
			if (!rooms.length && empty) body.append(h("li", {class: "note"}, empty));
			if (focused) body.querySelector(`a[href="${focused}"]`)?.focus();
		};
		const mineRow = (room) => ({...room, clock: room.settings.clock, move: room.board.move,
			players: {X: room.players.X?.name, O: room.players.O?.name}, isMine: true,
			isTurn: room.status === "playing" && room.players[room.board.turn]?.name === client.you});
		fill(lists.mine, mine.map(mineRow));
		fill(lists.waiting, others.filter(({status}) => status === "waiting"), t("nobody_waits"));
		fill(lists.playing, others.filter(({status}) => status === "playing"), t("nobody_plays"));
	}

	row({room, players, clock, title, move, status, spectators, isMine, isTurn}) {
		const name = (seat) => h("bdi", {class: seat.toLowerCase()}, players[seat] || "?");
		const notes = [clockWords(clock), status === "playing" && t("move_n", {n: move}),
			spectators > 0 && t("watchers", {n: spectators})];
		const words = isTurn ? t("your_turn") : isMine ? t("go_on") : t(status === "waiting" ? "join" : "watch");
		return h("li", {}, h("a", {href: `#${room}`, class: isTurn ? "turn" : ""},
			h("span", {class: "pair"}, name("X"), " – ", name("O")), title && h("em", {dir: "auto"}, title),
			h("span", {class: "note"}, notes.filter(Boolean).join(" · ")), h("span", {class: "go"}, words)));
	}

	close() {
		this.stop.abort();
		if (this.client.isUp) this.client.ask({type: "lobby", follow: false, limit: 1}).catch(() => {});
	}
}

class App {
	constructor() {
		const address = new URL("ws", location);
		address.protocol = address.protocol.replace("http", "ws");
		this.client = new Client(address.href, localStorage);
		/* One's own rooms that wait or play. */
		this.mine = new Map();
		this.knows = new Set();
		this.view = null;
		this.listen();
		this.dress();
		this.show();
		this.client.connect();
	}

	listen() {
		const {client} = this;
		const on = (type, act) => client.addEventListener(type, ({detail}) => act(detail));
		on("up", ({fresh}) => this.isUp(fresh));
		on("down", () => this.tellLink());
		on("you", () => this.tellYou());
		on("void", () => this.toast(t("void_token")));
		on("refused", (refusal) => this.toast(tellRefusal(refusal)));
		on("invited", (event) => this.invited(event));
		on("notice", ({text}) => this.toast(t("notice", {text})));
		on("state", (state) => this.keep(state));
		on("ended", ({room}) => {
			this.mine.delete(room);
			this.cards.get(room)?.remove();
		});
		for (const type of ["moved", "collapsed", "started"]) on(type, (event) => this.moved(event));
		this.cards = new Map();
		addEventListener("hashchange", () => this.show());
		$("skip").onclick = () => this.view.element.querySelector("h1").focus();
		addEventListener("online", () => client.probe());
		document.addEventListener("visibilitychange", () => document.hidden || client.probe());
		setInterval(() => client.isUp || this.tellLink(), 1000);
	}

	keep(state) {
		const isMine = Object.values(state.players).some((one) => one?.name === this.client.you);
		if (isMine && state.status !== "over") this.mine.set(state.room, state);
	}

	/* A game of one's own that goes on elsewhere. */
	moved({room, board, type, players}) {
		const mine = this.mine.get(room);
		if (!mine) return;
		mine.board = board;
		if (type !== "started") return;
		mine.status = "playing";
		mine.players = {X: {name: players.X}, O: {name: players.O}};
		if (this.view.id !== room) this.card(room, t("told_started", players), [[t("go_on"), "main", () => this.go(room)]]);
	}

	isUp(fresh) {
		this.tellLink();
		const {rooms} = this.client;
		for (const room of this.mine.keys()) if (!rooms.includes(room)) this.mine.delete(room);
		/* A room whose making was not answered any more. */
		if (this.isMaking && fresh.length) this.go(fresh[0]);
		this.isMaking = false;
		if (this.knows.size) return;
		this.client.ask({type: "help"}).then(({requests}) => {
			this.knows = new Set(requests.map(({type}) => type));
			this.dress();
		}).catch(() => {});
	}

	/* What stands on every page. */
	dress() {
		document.documentElement.lang = language();
		$("head").replaceChildren(
			h("a", {class: "brand", href: "#"}, "q", h("i", {}, "ttt")),
			h("nav", {}, h("a", {href: "#/learn"}, t("rules")),
				this.knows.has("top") && h("a", {href: "#/players"}, t("players"))),
			button("", "plain", () => this.askName(), {id: "you"}),
			...LANGUAGES.filter(([code]) => code !== language()).map(([lang, name]) => button(name, "plain", () => this.speak(lang), {lang})));
		$("skip").textContent = t("skip");
		this.tellYou();
		this.tellLink();
	}

	speak(code) {
		choose(code);
		this.dress();
		this.show();
	}

	tellYou() {
		const name = this.client.you;
		$("you").replaceChildren(name ? h("bdi", {}, name) : t("no_name"));
		$("you").setAttribute("aria-label", t("name_button", {name: name || t("no_name")}));
	}

	tellLink() {
		const {client} = this;
		const words = client.isUp ? "" : client.isEnded ? t("kicked") : client.socket || !client.retryAt
			? t("connecting") : t("lost", {n: Math.max(1, Math.ceil((client.retryAt - Date.now()) / 1000))});
		if (client.isUp && this.wasDown) this.say(t("back_again"));
		const isDown = !client.isUp && client.retryAt > 0;
		if (isDown && !this.wasDown) this.say(words);
		this.wasDown = isDown;
		if ($("link").textContent !== words) $("link").textContent = words;
		$("link").hidden = !words;
	}

	go(place) {
		if (location.hash.slice(1) === place) this.show();
		else location.hash = place;
	}

	async show() {
		const place = location.hash.slice(1);
		const turn = this.turn = {};
		const [, what, which] = place.split("/");
		let view;
		if (ROOM.test(place.toLowerCase())) view = new Play(this, place.toLowerCase());
		else if (what === "learn") view = new (await import("./tutorial.js")).Tutorial(this);
		else if (what === "players" || what === "player") {
			view = new (await import("./people.js")).People(this, nameIn(which));
		} else view = new Lobby(this);
		if (turn !== this.turn) return view.close();
		const isFirst = !this.view;
		this.view?.close();
		this.view = view;
		$("view").replaceChildren(view.element);
		if (isFirst) return;
		scrollTo(0, 0);
		view.element.querySelector("h1").focus({preventScroll: true});
	}

	title(words) {
		document.title = words ? `${words} · qttt` : t("page_title");
	}

	linkTo(room) {
		return `${location.href.split("#")[0]}#${room}`;
	}

	async enter(request) {
		if (!this.client.isUp) return this.toast(t("not_connected"));
		this.isMaking = true;
		try {
			const {room} = await this.client.ask(request);
			this.isMaking = false;
			this.go(room);
		} catch (refusal) {
			if (refusal.code !== "lost") this.isMaking = false;
			this.toast(tellRefusal(refusal));
		}
		return null;
	}

	create(members) {
		return this.enter({type: "create", ...members});
	}

	/* What is longer than a name is the key of one. */
	askName() {
		const {client} = this;
		const name = h("input", {class: "line", maxlength: 64, autocomplete: "off", spellcheck: "false"});
		const wrong = h("p", {class: "wrong", role: "alert"});
		const form = h("form", {class: "ask"}, field(t("new_name"), name), wrong, h("div", {class: "acts"},
			h("button", {class: "main"}, t("take_name")),
			client.token && button(t("copy_key"), "quiet", () => this.copy(client.token, t("key_copied"))),
			button(t("close"), "quiet", () => box.close())));
		const box = h("dialog", {"aria-labelledby": "name"}, h("h2", {id: "name"}, t("your_name")),
			client.you && h("p", {}, t("you_are", {name: client.you})), form);
		form.onsubmit = async (event) => {
			event.preventDefault();
			try {
				await client.beCalled(name.value.trim());
				box.close();
				this.show();
			} catch (refusal) {
				wrong.textContent = tellRefusal(refusal);
				name.focus();
			}
		};
		box.onclose = () => box.remove();
		document.body.append(box);
		box.showModal();
	}

	invited({room, player, clock}) {
		const answer = (type) => async () => {
			try {
				await this.client.ask({type, room});
				if (type === "join") this.go(room);
			} catch (refusal) {
				this.toast(tellRefusal(refusal));
			}
		};
		this.card(room, t("invited", {player, clock: clockWords(clock)}),
			[[t("join"), "main", answer("join")], [t("decline"), "quiet", answer("decline")]]);
	}

	/* What is told to whoever looks. */

	card(key, words, buttons) {
		this.cards.get(key)?.remove();
		const card = h("div", {class: "card", role: "status"}, h("p", {dir: "auto"}, words),
			h("div", {class: "acts"}, buttons.map(([text, kind, act]) => button(text, kind, () => {
				card.remove();
				act?.();
			}))));
		this.cards.set(key, card);
		$("cards").append(card);
		return card;
	}

	toast(words) {
		if (!words) return;
		const card = this.card(words, words, [[t("close"), "quiet"]]);
		setTimeout(() => card.remove(), TOAST_MS);
	}

	async copy(text, done) {
		try {
			await navigator.clipboard.writeText(text);
			this.toast(done);
		} catch {
			this.card("copy", t("copy_by_hand", {text}), [[t("close"), "quiet"]]);
		}
	}

	/* And to whoever listens. */
	say(words) {
		if (!words) return;
		const live = $("live");
		live.append(h("p", {}, words));
		while (live.children.length > LIVE_LINES) live.firstChild.remove();
	}
}

new App();
