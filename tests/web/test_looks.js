/* How the page looks and reads: at every width, by day and by night, in both languages, to axe. The
 * pictures go to the folder that QTTT_SHOTS names; without it there are none. */

import assert from "node:assert/strict";
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {before, test} from "node:test";

import {Browser, Server, WEB, drawn, eventually, file, hasStatus, modules, square} from "./harness.js";

const ARTICLE = ["1-7", "6-8", "2-8", "5-9", "1-6", "7-9", "2-3", "3-5"];
const WIDTHS = [320, 390, 768, 1024, 1280, 1920];
const PAGE_BYTES = 100 * 1024;
const PAGE_REQUESTS = 8;
const TOUCH = 44;
/* More than the page shows of a history at a time, and enough to settle both ratings. */
const GAMES = 21;

let browser, server;
const rooms = {};

async function play(name, actions) {
	const [ala, ola] = [await server.player(file, `${name}-ala`), await server.player(file, `${name}-ola`)];
	const {room} = await ala.ask("create X clock=90+5");
	await ola.ask(`join ${room}`);
	for (const [i, action] of actions.entries()) await [ala, ola][i % 2].act(action);
	return {room, ala, ola};
}

before(async () => {
	browser = await Browser.start(file);
	server = await Server.start(file);
	rooms.due = (await play("due", ARTICLE)).room;
	const {room, ala} = await play("over", ARTICLE);
	await ala.act("5");
	rooms.over = room;
	const [first, second] = [await server.player(file, "Wilhelmina-von-Tirol"), await server.player(file, "Łucja")];
	for (let i = 0; i < GAMES; i++) {
		const game = await first.ask("create X");
		await second.ask(`join ${game.room}`);
		await (i % 3 ? second : first).ask(`resign ${game.room}`);
	}
	await (await server.player(file, "waits")).ask("create X title=Deszczowe popołudnie clock=3+2");
});

/* Each place of the page, and what to wait for there. */
const PLACES = {
	lobby: ["", "[data-list=playing] a"],
	choice: [() => `#${rooms.due}`, "button.choice"],
	over: [() => `#${rooms.over}`, ".curve circle"],
	learn: ["#/learn", ".lesson"],
	players: ["#/players", "td a"],
	player: ["#/player/Łucja", "td a"],
	nobody: ["#/player/nobody", ".list > p:not(.note)"],
};

async function visit(t, name, options) {
	const [hash, wanted] = PLACES[name];
	const page = await browser.open(t, server.url + (typeof hash === "string" ? hash : hash()), options);
	await page.locator(wanted).first().waitFor();
	await eventually(() => page.evaluate(() => document.getElementById("link").hidden), "the connection");
	return page;
}

const boxes = (page) => page.evaluate(() => [...document.querySelectorAll("button, a, input, select, summary")]
	.filter((one) => one.id !== "skip" && one.checkVisibility() && !one.closest("svg"))
	.map((one) => (one.type === "checkbox" ? one.parentNode : one).getBoundingClientRect())
	.map(({width, height}, i) => ({i, width, height})));

for (const colorScheme of ["light", "dark"]) {
	test(`the page fits from 320 to 1920 points when it is ${colorScheme}`, async (t) => {
		const shots = process.env.QTTT_SHOTS;
		for (const name of Object.keys(PLACES)) {
			const page = await visit(t, name, {colorScheme, reducedMotion: "reduce"});
			for (const width of WIDTHS) {
				await page.setViewportSize({width, height: Math.max(640, Math.round(width * 0.6))});
				const {wide, seen} = await page.evaluate(() => ({wide: document.documentElement.scrollWidth, seen: innerWidth}));
				assert.ok(wide <= seen, `${name} is ${wide} wide at ${width}`);
				const small = (await boxes(page)).filter(({width: across, height}) => height < TOUCH || across < 32);
				assert.deepEqual(small, [], `${name} at ${width}`);
				if (shots) await page.screenshot({path: path.join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true});
			}
		}
	});

	test(`axe finds nothing serious when it is ${colorScheme}`, async (t) => {
		const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
		for (const name of Object.keys(PLACES)) {
			const page = await visit(t, name, {colorScheme, reducedMotion: "reduce"});
			if (name === "lobby") {
				await page.locator("summary").click();
				await page.locator("#you").click();
			}
			await page.evaluate(axe);
			const {violations, passes} = await page.evaluate(() => globalThis.axe.run());
			assert.ok(passes.length > 10);
			const found = violations.map(({id, impact, nodes}) => `${name}: ${impact}: ${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
			assert.deepEqual(found, []);
		}
	});
}

/* All words that somebody sees or hears. */
const wordsOf = (page) => page.evaluate(() => {
	const words = [];
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
	for (let node = walk.nextNode(); node; node = walk.nextNode()) {
		if (node.parentElement.closest("noscript, [lang]:not(html), bdi")) continue;
		if (node.nodeType === Node.TEXT_NODE) words.push(node.data);
		else words.push(...["aria-label", "aria-valuetext", "placeholder", "title"].map((name) => node.getAttribute(name)));
	}
	return words.filter((one) => one && /\p{L}{2}/u.test(one));
});

test("nothing is left in English on a Polish page", async (t) => {
	const {WORDS} = await modules(t, "words");
	const fits = Object.values(WORDS).filter(([en, pl]) => en !== pl)
		.flatMap(([en]) => typeof en === "string" ? [en] : Object.values(en))
		.filter((words) => /\p{L}{2}/u.test(words.replace(/\{\w+\}/g, "")))
		.map((words) => new RegExp(`^${words.replace(/[.?*+()|]/g, "\\$&").replace(/\{\w+\}/g, ".+")}$`, "u"));
	for (const name of Object.keys(PLACES)) {
		const page = await visit(t, name, {locale: "pl-PL", reducedMotion: "reduce"});
		assert.equal(await page.evaluate(() => document.documentElement.lang), "pl");
		if (name === "lobby") await page.locator("#you").click();
		const seen = await wordsOf(page);
		assert.ok(seen.length > 5, name);
		assert.deepEqual(seen.filter((words) => fits.some((fit) => fit.test(words))), [], name);
	}
});

test("the language is switched and kept", async (t) => {
	const page = await visit(t, "lobby");
	await page.getByRole("button", {name: "Polski"}).click();
	await page.getByRole("heading", {name: "Twoja nazwa"}).waitFor({state: "detached"});
	assert.match(await page.locator("h1").textContent(), /^Kółko i krzyżyk/);
	await page.reload();
	await eventually(async () => /^Kółko/.test(await page.locator("h1").textContent()), "Polish after a reload");
	await page.getByRole("button", {name: "English"}).click();
	assert.match(await page.locator("h1").textContent(), /^Noughts/);
});

test("the page is light and its first board takes few requests", async (t) => {
	const weight = fs.readdirSync(WEB).reduce((sum, name) => sum + fs.statSync(path.join(WEB, name)).size, 0);
	assert.ok(weight <= PAGE_BYTES, `${weight} bytes`);
	const page = await visit(t, "choice");
	assert.ok(page.asked.length <= PAGE_REQUESTS, page.asked.join(" "));
});

test("a measurement is shown at once to who wants no motion", async (t) => {
	const {room, ala} = await play("still", ["1-5", "1-5"]);
	const page = await browser.open(t, `${server.url}#${room}`, {reducedMotion: "reduce"});
	await page.locator("button.choice").first().waitFor();
	await ala.act("5");
	await eventually(async () => (await drawn(page))[4] === "Square 5: O2, settled", "the measurement");
	assert.equal(await page.locator(".stage .spooky").count(), 0);
	const moving = await page.evaluate(() => document.getAnimations().length);
	assert.equal(moving, 0);
});

test("a measurement is played in the order in which it forces itself", async (t) => {
	const {room, ala} = await play("moving", ["1-5", "5-9", "5-6", "1-9"]);
	const page = await browser.open(t, `${server.url}#${room}`);
	await page.locator("button.choice").first().waitFor();
	await page.evaluate(() => {
		globalThis.order = [];
		new MutationObserver((changes) => {
			for (const {addedNodes} of changes) {
				for (const node of addedNodes) if (node.matches?.(".classical")) globalThis.order.push(node.textContent);
			}
		}).observe(document.querySelector(".stage"), {childList: true, subtree: true});
	});
	await ala.act("9");
	await eventually(() => page.evaluate(() => globalThis.order.length === 4), "four marks");
	assert.deepEqual(await page.evaluate(() => globalThis.order), ["4", "2", "1", "3"]);
});

test("the tutorial plays itself, can be stopped, and leads to a game", async (t) => {
	const page = await visit(t, "learn");
	await eventually(async () => await page.locator(".stage .spooky").count() === 4, "two moves");
	await page.getByRole("button", {name: "Pause"}).click();
	for (let n = 2; n <= 5; n++) {
		await page.getByRole("button", {name: "Next"}).click();
		await page.getByText(`${n} of 5`).waitFor();
	}
	await page.getByRole("button", {name: "Play", exact: true}).click();
	await page.getByRole("button", {name: "Play a game"}).click();
	await page.locator(".lobby").waitFor();
});

test("what the tutorial shows is what the server says", async (t) => {
	const {LESSONS, position, measured} = await modules(t, "tutorial");
	const hand = await server.player(t);
	for (const lesson of LESSONS) {
		const squares = lesson.moves.map((pair) => ({squares: pair}));
		for (let count = 1; count <= squares.length; count++) {
			const {board} = await hand.ask(JSON.stringify({type: "analyse", actions: squares.slice(0, count)}));
			const shown = position(lesson, count);
			assert.deepEqual(shown.squares, board.squares);
			if (count === squares.length && lesson.cycle) assert.deepEqual(shown.cycle, board.cycle);
			else assert.equal(board.phase, "move");
			if (board.phase !== "collapse" || !lesson.outcomes) continue;
			for (const [i, choice] of board.choices.entries()) {
				assert.deepEqual(lesson.outcomes[choice], board.outcomes[i]);
				const next = await hand.ask(JSON.stringify({type: "analyse", actions: [...squares, {square: choice}]}));
				assert.deepEqual(measured(lesson, choice).squares, next.board.squares);
			}
		}
	}
});

test("what may be pressed looks so when the pointer or the keyboard is there", async (t) => {
	const page = await visit(t, "lobby");
	const ring = () => page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
	for (let i = 0; i < 12; i++) {
		await page.keyboard.press("Tab");
		assert.equal(await ring(), "solid");
	}
});

test("who watches can look at both outcomes and choose neither", async (t) => {
	const page = await visit(t, "choice");
	await page.locator("button.choice").first().hover();
	await page.locator(".stage .ghost").first().waitFor();
	await square(page, 5).click({force: true});
	await page.locator("button.choice").nth(1).click({force: true});
	assert.match(await page.locator(".status").textContent(), /due-ala measures/);
	await hasStatus(page, "playing");
});

test("what is told of a player who is away stays on his card", async (t) => {
	const {room, ala, ola} = await play("leaves", []);
	await ola.ask("resign");
	await ola.ask("quit");
	await ala.ask("quit");
	for (const locale of ["en-GB", "pl-PL"]) {
		const page = await browser.open(t, `${server.url}#${room}`, {locale, reducedMotion: "reduce"});
		await page.locator(".plate.gone .note").nth(1).filter({hasText: /→ \d+ · \p{L}/u}).waitFor();
		for (const width of [320, 360, 400, 1024]) {
			await page.setViewportSize({width, height: 800});
			const over = await page.evaluate(() => [...document.querySelectorAll(".plate, .plate .note")]
				.filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).display !== "inline" ||
					one.getBoundingClientRect().right > one.closest(".plate").getBoundingClientRect().right)
				.map((one) => one.textContent));
			assert.deepEqual(over, [], `${locale} at ${width}`);
		}
	}
});
