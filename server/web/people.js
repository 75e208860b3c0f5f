/* Players: the table, one player, his finished games. Shown where the server tells of them. */

import {h} from "./board.js";
import {half, t, tellRefusal} from "./words.js";

const number = (value) => value === undefined || value === null ? "–" : `${Math.round(value)}`;
const player = (name) => h("a", {href: `#/player/${encodeURIComponent(name)}`}, h("bdi", {}, name));

function gamesTable(games) {
	const nameIn = ({players}, seat) => {
		const one = players[seat];
		return typeof one === "string" ? one : one?.name || "–";
	};
	return h("table", {},
		h("thead", {}, h("tr", {}, [t("date"), "X", "O", t("score"), ""].map((words) => h("th", {scope: "col"}, words)))),
		h("tbody", {}, games.map((game) => h("tr", {},
			h("td", {}, new Date(game.ended_ms).toLocaleDateString(document.documentElement.lang)),
			h("td", {}, player(nameIn(game, "X"))), h("td", {}, player(nameIn(game, "O"))),
			h("td", {}, game.result?.score ? `${half(game.result.score.X)} : ${half(game.result.score.O)}` : "–"),
			h("td", {}, h("a", {href: `#${game.room}`}, t("replay")))))));
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
		return [form, h("table", {},
			h("thead", {}, h("tr", {}, ["#", t("player"), t("rating"), t("games"), t("wins"), t("draws"), t("losses")]
				.map((words) => h("th", {scope: "col"}, words)))),
			h("tbody", {}, players.map((one, i) => h("tr", {}, h("td", {}, `${i + 1}`), h("td", {}, player(one.name)),
				[one.rating, one.games, one.wins, one.draws, one.losses].map((value) => h("td", {}, number(value)))))))];
	}

	async profile() {
		const one = await this.client.ask({type: "player", name: this.name});
		this.heading.textContent = one.name;
		const facts = [["rating", one.rating === undefined ? "–" : `${number(one.rating)} ± ${number(one.deviation)}`],
			["games", number(one.games)], ["wins", number(one.wins)], ["draws", number(one.draws)], ["losses", number(one.losses)]];
		const list = h("div", {class: "list"});
		const more = h("button", {type: "button", class: "quiet"}, t("more"));
		const load = async () => {
			const {games, next} = await this.client.ask({type: "games", player: one.name, limit: 20, after: this.next});
			this.next = next;
			more.hidden = !next;
			if (games.length) list.append(gamesTable(games));
			else if (!list.firstChild) list.append(h("p", {class: "note"}, t("no_games")));
		};
		more.onclick = () => load().catch((refusal) => this.app.toast(tellRefusal(refusal)));
		await load();
		return [h("p", {class: "note"}, t(one.online ? "is_here" : "is_away")),
			h("dl", {class: "facts"}, facts.map(([key, value]) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, value)))),
			one.name !== this.client.you && h("div", {class: "acts"},
				h("button", {type: "button", class: "main", onclick: () => this.app.create({opponent: one.name})}, t("invite")),
				h("button", {type: "button", class: "quiet", onclick: () => this.mute(one.name)}, t("mute"))),
			h("h2", {}, t("games")), list, more].filter(Boolean);
	}

	async mute(name) {
		try {
			await this.client.ask({type: "mute", name});
			this.app.toast(t("muted", {player: name}));
		} catch (refusal) {
			this.app.toast(tellRefusal(refusal));
		}
	}

	close() {}
}
