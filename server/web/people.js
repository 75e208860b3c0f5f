/* Players: the table, one player, his finished games. Shown where the server tells of them. */

import {button, h} from "./board.js";
import {half, language, t, tellRefusal} from "./words.js";

const FIGURES = ["rating", "games", "wins", "draws", "losses"];

const place = (name) => `/player/${encodeURIComponent(name)}`;
/* Who gave his name up has no page any more. */
const player = (name) => h("a", {href: !name.startsWith("gone-") && `#${place(name)}`}, h("bdi", {}, name));
const note = (key) => h("p", {class: "note"}, t(key));
const row = (cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell)));
const table = (heads, rows) => h("div", {class: "wide"}, h("table", {},
	h("thead", {}, h("tr", {}, heads.map((words) => h("th", {scope: "col"}, words)))),
	h("tbody", {}, rows.map(row))));

/* As in the reader's country, where that is said with the language. */
const day = (ms) => new Date(ms).toLocaleDateString(
	navigator.languages.find((tag) => tag.startsWith(language())) || language(), {dateStyle: "medium"});

const gameRow = ({room, players, result: {score}, ended_ms}) => row([day(ended_ms), player(players.X), player(players.O),
	score ? `${half(score.X)} : ${half(score.O)}` : "–", h("a", {href: `#${room}`}, room)]);

export class People {
	constructor(app, name) {
		Object.assign(this, {app, client: app.client, name});
		this.heading = h("h1", {tabindex: -1}, name || t("players"));
		this.body = h("div", {class: "list"}, note("loading"));
		this.element = h("main", {}, this.heading, this.body);
		app.title(this.heading.textContent);
		this.load();
	}

	async load() {
		try {
			this.body.replaceChildren(...await (this.name ? this.profile() : this.table()));
		} catch (refusal) {
			this.body.replaceChildren(h("p", {}, tellRefusal(refusal)));
		}
	}

	async table() {
		const {players} = await this.client.ask({type: "top", limit: 50});
		const find = h("input", {class: "line", "aria-label": t("player_name"), placeholder: t("player_name"), maxlength: 20});
		const form = h("form", {class: "say", onsubmit: (event) => {
			event.preventDefault();
			const name = find.value.trim();
			if (name) this.app.go(place(name));
		}}, find, h("button", {class: "quiet"}, t("find")));
		return [form, players.length ? table(["#", t("player"), ...FIGURES.map((key) => t(key))],
			players.map((one, i) => [i + 1, player(one.name), ...FIGURES.map((key) => Math.round(one[key]))]))
			: note("nobody_rated")];
	}

	async profile() {
		const {app, client} = this;
		const one = await client.ask({type: "player", name: this.name});
		this.heading.textContent = one.name;
		app.title(one.name);
		const list = table([t("date"), "X", "O", t("score"), t("replay")], []);
		const [body] = list.firstChild.tBodies;
		/* One page at a time; gives the first row of it. */
		const load = async () => {
			const {length} = body.rows;
			more.disabled = true;
			try {
				const {games, next} = await client.ask({type: "games", player: one.name, limit: 20, after: this.next});
				body.append(...games.map(gameRow));
				this.next = next;
				more.hidden = !next;
			} finally {
				more.disabled = false;
			}
			return body.rows[length];
		};
		const more = button(t("more"), "quiet", () => load().then((first) => first?.querySelector("[href]").focus())
			.catch((refusal) => app.toast(tellRefusal(refusal))));
		const isPlayed = await load();
		return [!one.online && note("away"),
			h("dl", {class: "facts"}, FIGURES.map((key) => h("div", {}, h("dt", {class: "note"}, t(key)), h("dd", {}, Math.round(one[key]))))),
			one.name !== client.you && button(t("invite"), "main", () => app.create({opponent: one.name})),
			h("h2", {}, t("public")), isPlayed ? list : note("no_games"), more].filter(Boolean);
	}

	close() {}
}
