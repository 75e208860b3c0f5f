/* Players in a real browser: how one stands, his games page by page, and the table of the best. */

import assert from "node:assert/strict";
import {before, test} from "node:test";

import {Browser, Server, eventually, file, hasStatus} from "./harness.js";

const ARTICLE = ["1-7", "6-8", "2-8", "5-9", "1-6", "7-9", "2-3", "3-5", "5"];
const TWO_LINES = ["5-8", "7-9", "4-7", "2-7", "6-7", "3-9", "3-4", "4", "1-8", "1-5", "1"];
const CROSSING = ["1-6", "4-9", "5-6", "1-2", "5-9", "2-8", "7-9", "1-8", "8", "3-3"];
/* As many as the page asks for at a time. */
const PAGE = 20;
/* After so many games against each other two players have settled ratings. */
const SETTLING = 15;

let browser, server;
/* One browser and one server for all; each test has pages and players of its own. */
before(async () => {
	browser = await Browser.start(file);
	server = await Server.start(file);
});

const pair = (t, name, own = server) => Promise.all(["ala", "ola"].map((one) => own.player(t, `${name}-${one}`)));
const profile = (name, own = server) => `${own.url}#/player/${encodeURIComponent(name)}`;

async function sit(x, o, more = "") {
	const {room} = await x.ask(`create ${more} X`);
	await o.ask(`join ${room}`);
	return room;
}

/* A game played to the end of its actions. */
async function play(x, o, actions, more) {
	const room = await sit(x, o, more);
	for (const action of actions) {
		const {turn} = (await x.ask(`state ${room}`)).state.board;
		await (turn === "X" ? x : o).act(action);
	}
	return room;
}

/* A game that is resigned at once, by O if nobody else is named. */
async function resigned(x, o, {loser = o, more} = {}) {
	const room = await sit(x, o, more);
	await loser.ask(`resign ${room}`);
	return room;
}

async function times(count, act) {
	const done = [];
	while (done.length < count) done.push(await act(done.length));
	return done;
}

const rows = (page) => page.evaluate(() => [...document.querySelectorAll("tbody tr")]
	.map((row) => [...row.cells].map((cell) => cell.textContent)));
const rooms = async (page) => (await rows(page)).map((cells) => cells[4]);
const hasRows = (page, count) => eventually(async () => (await rows(page)).length === count, `${count} rows`);
const more = (page, name = "More") => page.getByRole("button", {name});
const heading = (page) => page.locator("h1").textContent();

/* The figures of a profile, by their names. */
async function stands(page) {
	await page.locator(".facts").waitFor();
	return page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".facts div")]
		.map((one) => [...one.children].map((part) => part.textContent))));
}

test("a profile tells the rating and counts rated games alone", async (t) => {
	const [ala, ola] = await pair(t, "stands");
	const page = await browser.open(t, profile("stands-ala"));
	assert.deepEqual(await stands(page), {Rating: "1500", "Rated games": "0", Wins: "0", Draws: "0", Losses: "0"});
	await page.getByText("No public games.").waitFor();
	assert.equal(await more(page).isVisible(), false);
	await resigned(ala, ola);
	await resigned(ala, ola, {more: "rated=no"});
	await page.reload();
	assert.deepEqual(await stands(page), {Rating: "1662", "Rated games": "1", Wins: "1", Draws: "0", Losses: "0"});
	assert.equal((await rows(page)).length, 2);
	const other = await browser.open(t, profile("stands-ola"));
	assert.deepEqual(await stands(other), {Rating: "1338", "Rated games": "1", Wins: "0", Draws: "0", Losses: "1"});
	const drawn = await sit(ala, ola);
	for (const one of [ala, ola]) await one.ask(`draw room=${drawn}`);
	await page.reload();
	const {"Rated games": games, Draws} = await stands(page);
	assert.deepEqual([games, Draws], ["2", "1"]);
});

test("a history tells points in halves, the last game first, and who had which side", async (t) => {
	const [ala, ola] = await pair(t, "halves");
	const played = [];
	for (const actions of [ARTICLE, TWO_LINES, CROSSING]) played.unshift(await play(ala, ola, actions));
	played.unshift(await resigned(ola, ala));
	const off = await sit(ala, ola);
	await ala.ask(`abort ${off}`);
	const page = await browser.open(t, profile("halves-ola"));
	await hasRows(page, 5);
	assert.deepEqual((await rows(page)).map((cells) => cells.slice(1)), [
		["halves-ala", "halves-ola", "–", off],
		["halves-ola", "halves-ala", "1 : 0", played[0]],
		["halves-ala", "halves-ola", "2 : 0", played[1]],
		["halves-ala", "halves-ola", "1½ : 0", played[2]],
		["halves-ala", "halves-ola", "½ : 1", played[3]]]);
	assert.deepEqual(await page.locator("th").allTextContents(), ["Date", "X", "O", "Score", "Replay"]);
	await page.getByRole("link", {name: played[3]}).click();
	await hasStatus(page, "over");
	assert.deepEqual(await page.locator(".points").allTextContents(), ["½", "1"]);
	await page.goBack();
	await page.getByRole("link", {name: "halves-ala"}).first().click();
	await eventually(async () => await heading(page) === "halves-ala", "the other player");
	assert.equal(await page.title(), "halves-ala · qttt");
});

test("a history goes on page by page while further games end, each game once", async (t) => {
	const [ala, ola] = await pair(t, "pages");
	const played = (await times(2 * PAGE + 3, () => resigned(ala, ola))).reverse();
	const page = await browser.open(t, profile("pages-ala"));
	await hasRows(page, PAGE);
	for (const count of [2 * PAGE, played.length]) {
		await times(3, () => resigned(ola, ala));
		await more(page).click();
		await hasRows(page, count);
	}
	assert.deepEqual(await rooms(page), played);
	assert.equal(await more(page).isVisible(), false);
	assert.equal(await page.locator("table").count(), 1);
});

test("whoever presses for more twice gets one page at a time", async (t) => {
	const [ala, ola] = await pair(t, "twice");
	const played = (await times(3 * PAGE, () => resigned(ala, ola))).reverse();
	const page = await browser.open(t, profile("twice-ala"));
	await hasRows(page, PAGE);
	await page.evaluate(() => {
		const button = [...document.querySelectorAll("button")].find((one) => one.textContent === "More");
		button.click();
		button.click();
	});
	await eventually(async () => (await rows(page)).length > PAGE, "more");
	await more(page).click();
	await hasRows(page, played.length);
	assert.deepEqual(await rooms(page), played);
});

test("a history of exactly one page has no more", async (t) => {
	const [ala, ola] = await pair(t, "full");
	await times(PAGE, () => resigned(ala, ola));
	const page = await browser.open(t, profile("full-ala"));
	await hasRows(page, PAGE);
	if (await more(page).isVisible()) await more(page).click();
	await eventually(async () => !await more(page).isVisible(), "the end of the list");
	assert.equal((await rows(page)).length, PAGE);
});

test("more of a history comes after the server was started again", async (t) => {
	const own = await Server.start(t);
	const [ala, ola] = await pair(t, "again", own);
	const played = (await times(PAGE + 2, () => resigned(ala, ola))).reverse();
	const page = await browser.open(t, profile("again-ala", own));
	page.mayFail = true;
	await hasRows(page, PAGE);
	await own.end("SIGKILL");
	await page.locator("#link:not([hidden])").waitFor();
	await more(page).click();
	await own.run();
	await hasRows(page, PAGE + 2);
	assert.deepEqual(await rooms(page), played);
});

test("a private game is in no history, counts, and is there for who knows its room", async (t) => {
	const [ala, ola] = await pair(t, "secret");
	const room = await resigned(ala, ola, {more: "private"});
	for (const name of ["secret-ala", "secret-ola"]) {
		const page = await browser.open(t, profile(name));
		assert.equal((await stands(page))["Rated games"], "1");
		await page.getByText("No public games.").waitFor();
		assert.ok(!(await page.content()).includes(room));
	}
	const page = await browser.open(t, `${server.url}#${room}`);
	await hasStatus(page, "over");
});

test("a player who is not there is told of in words", async (t) => {
	const page = await browser.open(t, profile("nobody-at-all"));
	await page.getByText("There is no such player.").waitFor();
	assert.equal(await page.locator(".facts, table, main button").count(), 0);
	assert.equal(await page.locator(".note").count(), 0);
});

test("who gave his name up is gone from histories and has no page", async (t) => {
	const [ala, ola] = await pair(t, "former");
	const room = await resigned(ala, ola);
	await ola.ask("forget");
	const page = await browser.open(t, profile("former-ala"));
	await hasRows(page, 1);
	const [[, x, o, score, shown]] = await rows(page);
	assert.deepEqual([x, score, shown], ["former-ala", "1 : 0", room]);
	assert.match(o, /^gone-/);
	assert.equal(await page.getByRole("link", {name: /^gone-/}).count(), 0);
	assert.ok(!(await page.content()).includes("former-ola"));
	const other = await browser.open(t, profile("former-ola"));
	await other.getByText("There is no such player.").waitFor();
});

test("the table has the settled players by their rating and leads to each", async (t) => {
	const own = await Server.start(t);
	const page = await browser.open(t, `${own.url}#/players`);
	await page.getByText("Nobody has a settled rating yet.").waitFor();
	const [ala, ola] = await pair(t, "table", own);
	await times(SETTLING, (i) => resigned(ala, ola, {loser: i % 3 ? ola : ala}));
	await resigned(await own.player(t, "table-new"), ola);
	await page.reload();
	await hasRows(page, 2);
	const shown = await rows(page);
	assert.deepEqual(shown.map(([place, name, , ...counts]) => [place, name, ...counts]), [
		["1", "table-ala", "15", "10", "0", "5"], ["2", "table-ola", "16", "5", "0", "11"]]);
	const told = await Promise.all(shown.map(([, name]) => ala.ask(`player ${name}`)));
	assert.deepEqual(shown.map((cells) => cells[2]), told.map(({rating}) => `${Math.round(rating)}`));
	assert.ok(told[0].rating > told[1].rating);
	assert.deepEqual(await page.locator("th").allTextContents(),
		["#", "Player", "Rating", "Rated games", "Wins", "Draws", "Losses"]);
	await page.getByRole("link", {name: "table-ola"}).click();
	assert.equal((await stands(page))["Rated games"], "16");
	assert.equal(await page.title(), "table-ola · qttt");
});

test("players speak Polish, their dates and halves too", async (t) => {
	const [ala, ola] = await pair(t, "polsku");
	await times(PAGE, () => resigned(ala, ola));
	await play(ala, ola, ARTICLE);
	const page = await browser.open(t, profile("polsku-ala"), {locale: "pl-PL", timezoneId: "Pacific/Auckland"});
	await hasRows(page, PAGE);
	assert.deepEqual(Object.keys(await stands(page)), ["Ranking", "Gry rankingowe", "Wygrane", "Remisy", "Przegrane"]);
	assert.deepEqual(await page.locator("th").allTextContents(), ["Data", "X", "O", "Wynik", "Powtórka"]);
	const [[date, , , score]] = await rows(page);
	assert.equal(score, "½ : 1");
	const {ended_ms} = (await ala.ask("games polsku-ala limit=1")).games[0];
	const told = (locale, timeZone) => new Date(ended_ms).toLocaleDateString(locale, {dateStyle: "medium", timeZone});
	assert.equal(date, told("pl", "Pacific/Auckland"));
	assert.match(date, /^\d{1,2} \p{L}{3} \d{4}$/u);
	await more(page, "Więcej").click();
	await hasRows(page, PAGE + 1);
	await page.getByRole("button", {name: "English"}).click();
	await eventually(async () => (await rows(page))[0]?.[0] === told("en", "Pacific/Auckland"), "an English date");
	await page.getByRole("heading", {name: "Games"}).waitFor();
	const british = await browser.open(t, profile("polsku-ala"), {locale: "en-GB", timezoneId: "Pacific/Auckland"});
	await hasRows(british, PAGE);
	assert.equal((await rows(british))[0][0], told("en-GB", "Pacific/Auckland"));
	assert.notEqual(told("en-GB"), told("en"));
});

test("a player is found by keyboard alone and his games read on", async (t) => {
	const [ala, ola] = await pair(t, "Keys");
	await times(PAGE + 2, () => resigned(ala, ola));
	const page = await browser.open(t, `${server.url}#/players`);
	const to = async (words) => {
		for (let i = 0; i < 80; i++) {
			await page.keyboard.press("Tab");
			const at = await page.evaluate(() => document.activeElement.ariaLabel || document.activeElement.textContent);
			if (at === words) return;
		}
		assert.fail(`no way to "${words}" by Tab`);
	};
	await page.locator("form").waitFor();
	await to("A player’s name");
	await page.keyboard.type(" keys-ALA ");
	await page.keyboard.press("Enter");
	await page.locator(".facts").waitFor();
	assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
	assert.equal(await heading(page), "Keys-ala");
	assert.equal(await page.title(), "Keys-ala · qttt");
	await to("More");
	await page.keyboard.press("Enter");
	await hasRows(page, PAGE + 2);
	const at = await page.evaluate(() => document.activeElement.closest("tr")?.rowIndex);
	assert.equal(at, PAGE + 1, "on the first of the new games");
	await page.keyboard.press("Shift+Tab");
	assert.equal(await page.evaluate(() => document.activeElement.closest("tr").rowIndex), PAGE);
});

test("a profile invites whoever it shows, but not oneself", async (t) => {
	const [ala] = await pair(t, "hosted");
	const page = await browser.open(t, profile("hosted-ala"));
	await page.getByRole("button", {name: "Invite to a game"}).click();
	await hasStatus(page, "waiting");
	const invited = await ala.hear(({type}) => type === "invited");
	assert.ok(page.url().endsWith(invited.room));
	const own = await page.locator("#you").textContent();
	await page.goto(profile(own));
	await page.locator(".facts").waitFor();
	assert.equal(await heading(page), own);
	assert.equal(await page.getByRole("button", {name: "Invite to a game"}).count(), 0);
});

test("who is away is told to be so on his profile", async (t) => {
	const [ala, ola] = await pair(t, "absent");
	await ola.ask("quit");
	const away = await browser.open(t, profile("absent-ola"));
	await away.locator(".note").filter({hasText: "away"}).waitFor();
	await ala.ask("ping");
	const here = await browser.open(t, profile("absent-ala"));
	await here.locator(".facts").waitFor();
	assert.equal(await here.locator(".note").filter({hasText: "away"}).count(), 0);
});

test("letters with marks lead to their player however they are written", async (t) => {
	const [ala, ola] = [await server.player(t, "Łucja-Żółć"), await server.player(t, "constructor")];
	await resigned(ala, ola);
	const page = await browser.open(t, `${server.url}#/player/${"łucja-ŻÓŁĆ".normalize("NFD")}`);
	assert.equal((await stands(page)).Wins, "1");
	assert.equal(await heading(page), "Łucja-Żółć");
	await page.getByRole("link", {name: "constructor"}).click();
	await eventually(async () => await heading(page) === "constructor", "the other player");
	assert.equal((await stands(page)).Losses, "1");
	await page.getByRole("link", {name: "Łucja-Żółć"}).click();
	await eventually(async () => await heading(page) === "Łucja-Żółć", "the first player");
});

/* What a link that somebody sends may name. */
const HOSTILE = ["%", "<img src=x onerror=\"document.title=1\">", "%3Cb%3Ebold%3C/b%3E", "%E0%A4%A", "100%25", "__proto__",
	"a".repeat(3000), "a%00b", "../#/players", "\u202egnol", "{name}", "javascript:document.title=1", "gone-2222", "\ud83d"];

test("an address that names no player stays text and breaks nothing", async (t) => {
	const page = await browser.open(t, `${server.url}#/player/${HOSTILE[0]}`);
	const refused = page.locator("main p").filter({hasText: /^There is no such player\.$|^That can’t be a name\.$/});
	await refused.waitFor();
	for (const name of HOSTILE) {
		await page.goto(`${server.url}#/players`);
		await page.locator("form").waitFor();
		await page.goto(`${server.url}#/player/${name}`);
		await refused.waitFor();
		assert.equal(await page.locator("main img, main b, main script").count(), 0, name);
		assert.notEqual(await page.title(), "1");
		const {wide, seen} = await page.evaluate(() => ({wide: document.documentElement.scrollWidth, seen: innerWidth}));
		assert.ok(wide <= seen, `${wide} wide for ${name}`);
	}
});

test("what is typed to be found and names no player stays text and breaks nothing", async (t) => {
	const page = await browser.open(t, `${server.url}#/players`);
	for (const name of HOSTILE) {
		await page.locator("form input").fill(name);
		await page.keyboard.press("Enter");
		await page.getByText("There is no such player.").waitFor();
		assert.equal(await page.locator("main img, main b, main script").count(), 0, name);
		await page.getByRole("link", {name: "Players"}).click();
		await page.locator("form").waitFor();
	}
	await page.locator("form input").fill("  ");
	await page.keyboard.press("Enter");
	assert.match(page.url(), /#\/players$/);
});

test("titles and chat of strangers are in no history", async (t) => {
	const evil = "<img src=x onerror=\"document.title=1\">";
	const [ala, ola] = await pair(t, "evil");
	const {room} = await ala.ask(JSON.stringify({type: "create", side: "X", title: evil}));
	await ola.ask(`join ${room}`);
	await ola.ask(JSON.stringify({type: "say", room, text: evil}));
	await ola.ask("resign");
	const page = await browser.open(t, profile("evil-ala"));
	await hasRows(page, 1);
	assert.ok(!(await page.content()).includes("onerror"));
});
