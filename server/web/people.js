/* Players: the table, one player, his finished games. Shown where the server tells of them. */

import {button, h} from "./board.js";
import {half, language, t, tellRefusal} from "./words.js";

const FIGURES = ["rating", "games", "wins", "draws", "losses"];

const number = (value) => value === undefined || value === null ? "–" : `${Math.round(value)}`;
const player = (name) => h("a", {href: `#/player/${encodeURIComponent(name)}`}, h("bdi", {}, name));

const table = (heads, rows) => h("table", {},
	h("thead", {}, h("tr", {}, heads.map((words) => h("th", {scope: "col"}, words)))),
	h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell))))));

function gamesTable(games) {
	const named = (one) => player(one?.name || one);
	return table([t("date"), "X", "O", t("score"), t("replay")], games.map(({room, players, result, ended_ms}) => [
		new Date(ended_ms).toLocaleDateString(language(), {dateStyle: "medium"}), named(players.X), named(players.O),
		result.score ? `${half(result.score.X)} : ${half(result.score.O)}` : "–", h("a", {href: `#${room}`}, room)]));
}

export class People {
	constructor(app, name) {
		Object.assign(this, {app, client: app.client, name});
		this.heading = h("h1", {tabindex: -1}, name || t("players"));
		this.body = h("div", {class: "list"}, h("p", {class: "note"}, t("loading")));
		this.element = h("main", {class: "people"}, this.heading, this.body);
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
			if (find.value.trim()) this.app.go(`/player/${encodeURIComponent(find.value.trim())}`);
		}}, find, h("button", {class: "quiet"}, t("find")));
		if (!players.length) return [form, h("p", {class: "note"}, t("nobody_rated"))];
		return [form, table(["#", t("player"), ...FIGURES.map((key) => t(key))],
			players.map((one, i) => [`${i + 1}`, player(one.name), ...FIGURES.map((key) => number(one[key]))]))];
	}

	async profile() {
		const one = await this.client.ask({type: "player", name: this.name});
		this.heading.textContent = one.name;
		const list = h("div", {class: "list"});
		const more = button(t("more"), "quiet", () => load().catch((refusal) => this.app.toast(tellRefusal(refusal))));
		const load = async () => {
			const {games, next} = await this.client.ask({type: "games", player: one.name, limit: 20, after: this.next});
			this.next = next;
			more.hidden = !next;
			if (games.length) list.append(gamesTable(games));
			else if (!list.firstChild) list.append(h("p", {class: "note"}, t("no_games")));
		};
		await load();
		return [!one.online && h("p", {class: "note"}, t("away")),
			h("dl", {class: "facts"}, FIGURES.map((key) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, number(one[key]))))),
			one.name !== this.client.you && button(t("invite"), "main", () => this.app.create({opponent: one.name})),
			h("h2", {}, t("games")), list, more].filter(Boolean);
	}

	close() {}
}
