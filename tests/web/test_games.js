/* Games in a real browser: against netcat, through reloads and restarts, by keyboard alone. */

import assert from "node:assert/strict";
import {before, test} from "node:test";

import {Browser, Hand, Server, clickMove, drawn, eventually, file, hasStatus, heard, square, status} from "./harness.js";

const ARTICLE = ["1-7", "6-8", "2-8", "5-9", "1-6", "7-9", "2-3", "3-5"];
const RECORD = "1:X(1-7),2:O(6-8),3:X(2-8),4:O(5-9),5:X(1-6),6:O(7-9),7:X(2-3),8:O(3-5),8c:X(O8(5))::X(0.5)-O(1)";

let browser, server;
/* One browser and one server for all; each test has pages and players of its own. */
before(async () => {
	browser = await Browser.start(file);
	server = await Server.start(file);
});

const moves = (page) => page.locator(".moves li").count();
const roomOf = async (page) => (await page.waitForURL(/#[2-9a-z]{5,}$/), new URL(page.url()).hash.slice(1));

/* Opens a game as X in the form of the lobby, and gives its room. */
async function open(page, more = async () => {}) {
	await page.locator("summary").click();
	await page.locator("[name=side]").selectOption("X");
	await more();
	await page.locator(".new button").click();
	await hasStatus(page, "waiting");
	return roomOf(page);
}

test("two browsers and a netcat play and watch one game to its end", async (t) => {
	const ala = await browser.open(t, server.url);
	const room = await open(ala);
	const watcher = await browser.open(t, `${server.url}#${room}`);
	await hasStatus(watcher, "waiting");
	const ola = Hand.netcat(t, server.tcp);
	await ola.ask("hello netcat-ola");
	await ola.ask(`join ${room}`);
	await hasStatus(ala, "playing");
	for (const [i, action] of ARTICLE.entries()) {
		if (i % 2) await ola.act(action);
		else await clickMove(ala, action);
		await eventually(async () => await moves(watcher) === i + 1, `move ${i + 1}`);
	}
	assert.match(await status(watcher).textContent(), /^O8 has closed a cycle\. guest-\w+ measures: 3 or 5/);
	await square(ala, 5).hover();
	assert.equal(await ala.locator(".stage .ghost").count(), 8);
	await square(ala, 5).click();
	for (const page of [ala, watcher]) {
		await hasStatus(page, "over");
		assert.match(await status(page).textContent(), /Both have a line\. That of netcat-ola.*O6.*X7.*X ½, O 1/);
		await eventually(async () => await page.locator(".stage .win").count() === 2, "both lines");
		assert.deepEqual(await page.locator(".win text").allTextContents(), ["1", "t = 6", "½", "t = 7"]);
		assert.deepEqual(await page.locator(".points").allTextContents(), ["½", "1"]);
	}
	assert.deepEqual(await drawn(ala), await drawn(watcher));
	assert.match(await heard(watcher), /measured: O8 → 5, O4 → 9, O6 → 7, X1 → 1, X5 → 6, O2 → 8, X3 → 2, X7 → 3\./);
	assert.equal((await ola.hear(({type}) => type === "ended")).score.O, 1);
});

test("a finished game is studied and its record copied", async (t) => {
	const [ala, ola] = [await server.player(t, "study-ala"), await server.player(t, "study-ola")];
	const {room} = await ala.ask("create X");
	await ola.ask(`join ${room}`);
	for (const [i, action] of ARTICLE.entries()) await [ala, ola][i % 2].act(action);
	await ala.act("5");
	const page = await browser.open(t, `${server.url}#${room}`, {permissions: ["clipboard-read", "clipboard-write"]});
	await page.locator(".curve circle").first().waitFor();
	assert.equal(await page.locator(".curve circle").count(), 10);
	assert.match(await page.locator(".study").textContent(), /study-ala gave away 4\. study-ola gave away 3\./);
	assert.equal(await page.locator(".lost").count(), 8);
	await page.locator(".stepper input").focus();
	await page.keyboard.press("Home");
	await eventually(async () => (await drawn(page)).every((words) => words.endsWith("empty")), "the empty board");
	await page.keyboard.press("ArrowRight");
	await eventually(async () => (await drawn(page))[6] === "Square 7: X1, spooky", "the first move");
	assert.match(await page.locator("input[type=range]").getAttribute("aria-valuetext"), /^X1 1\u2060–\u20607: draw$/);
	await page.locator("[data-act=record]").click();
	await page.locator(".card").waitFor();
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), RECORD);
});

test("a page reloaded in the middle of a measurement goes on with it", async (t) => {
	const ala = await browser.open(t, server.url);
	const room = await open(ala);
	const ola = await server.player(t, "reload-ola");
	await ola.ask(`join ${room}`);
	await clickMove(ala, "1-5");
	await ola.act("1-5");
	await ala.locator("button.choice").first().waitFor();
	await ala.reload();
	await ala.locator("button.choice").first().waitFor();
	assert.match(await status(ala).textContent(), /you measure: does O2 go to 1 or to 5\?/);
	await ala.locator("button.choice").nth(1).click();
	await eventually(async () => (await drawn(ala))[4] === "Square 5: O2, settled", "the measurement");
	assert.match((await drawn(ala))[0], /^Square 1: X1, settled/);
	assert.deepEqual((await ola.hear(({type}) => type === "collapsed")).measured, [["O2", 5], ["X1", 1]]);
});

test("a server restarted in the middle of a game finds the page again", async (t) => {
	const own = await Server.start(t);
	const ala = await browser.open(t, own.url);
	ala.mayFail = true;
	const room = await open(ala);
	await (await own.player(t, "before")).ask(`join ${room}`);
	await clickMove(ala, "1-5");
	await own.end("SIGKILL");
	await ala.locator("#link:not([hidden])").waitFor();
	await own.run();
	await ala.locator("#link").waitFor({state: "hidden"});
	assert.match((await drawn(ala))[0], /Square 1: X1, spooky/);
	assert.match(await heard(ala), /No connection.*Connected again/);
	await ala.locator("[data-act=draw]").click();
	await ala.locator("[data-act=draw]:disabled").waitFor();
});

test("a move that the server did not answer is sent again and played once", async (t) => {
	const own = await Server.start(t);
	const ala = await browser.open(t, own.url);
	ala.mayFail = true;
	const room = await open(ala);
	await (await own.player(t, "frozen")).ask(`join ${room}`);
	await hasStatus(ala, "playing");
	own.process.kill("SIGSTOP");
	await square(ala, 2).click();
	await square(ala, 7).click();
	assert.equal(await status(ala).textContent(), "Sent …");
	await own.end("SIGKILL");
	await own.run();
	await eventually(async () => await moves(ala) === 1, "the move");
	assert.equal((await (await own.player(t)).ask(`watch ${room}`)).state.board.move, 2);
	assert.deepEqual((await drawn(ala)).filter((words) => words.includes("X1")).length, 2);
});

test("a flag that falls ends the game on the page", async (t) => {
	const ola = await server.player(t, "flag-ola");
	const {room} = await ola.ask('{"type":"create","side":"X","clock":{"base_ms":1000}}');
	const ala = await browser.open(t, `${server.url}#${room}`);
	await ala.locator("[data-act=join]").click();
	await hasStatus(ala, "playing");
	await ola.act("1-5");
	await clickMove(ala, "1-6");
	await ola.act("2-7");
	await hasStatus(ala, "over");
	assert.match(await status(ala).textContent(), /^guest-\w+ ran out of time: flag-ola wins\.$/);
	assert.equal(await ala.locator(".clock").nth(1).textContent(), "0:00.0");
});

/* By the keyboard to what has these words. */
async function tabTo(page, words) {
	for (let i = 0; i < 60; i++) {
		await page.keyboard.press("Tab");
		const at = await page.evaluate(() => document.activeElement.textContent || document.activeElement.ariaLabel);
		if (at?.startsWith(words)) return;
	}
	assert.fail(`no way to "${words}" by Tab`);
}

test("a game is played by keyboard alone", async (t) => {
	const page = await browser.open(t, server.url);
	await tabTo(page, "Random");
	await page.keyboard.press("Enter");
	await page.waitForSelector("[data-status=playing],[data-status=over]");
	const isOver = () => page.evaluate(() => document.querySelector("main").dataset.status === "over");
	const open = () => page.evaluate(() => [...document.querySelectorAll(".square[aria-disabled=false]")].map((one) => +one.dataset.square));
	while (!await isOver()) {
		const free = await eventually(async () => await isOver() || (await open()).length && await open(), "a turn");
		if (free === true) break;
		const before = await page.locator(".status").textContent() + await moves(page);
		await page.keyboard.press(`${free[0]}`);
		if (/measure/.test(before)) await page.keyboard.press("Enter");
		else if (free.length > 1) await page.keyboard.press(`${free[1]}`);
		await eventually(async () => await isOver() || before !== await page.locator(".status").textContent() + await moves(page), "the move");
	}
	assert.match(await heard(page), /The game is over\./);
	await tabTo(page, "Rematch");
	const old = page.url();
	await page.keyboard.press("Enter");
	await eventually(() => page.url() !== old, "the rematch");
	await hasStatus(page, "playing");
});

test("arrows go from square to square and Escape gives a choice up", async (t) => {
	const page = await browser.open(t, server.url);
	await page.getByRole("button", {name: /Perfect/}).click();
	await page.locator(".square[aria-disabled=false]").first().waitFor();
	await square(page, 5).focus();
	for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "Enter"]) await page.keyboard.press(key);
	assert.equal(await square(page, 1).getAttribute("aria-pressed"), "true");
	await page.keyboard.press("Escape");
	assert.equal(await square(page, 1).getAttribute("aria-pressed"), "false");
	assert.match(await heard(page), /Nothing chosen/);
});

test("a first touch shows an outcome and a second chooses it", async (t) => {
	const page = await browser.open(t, server.url, {hasTouch: true, viewport: {width: 390, height: 800}});
	const room = await open(page);
	const ola = await server.player(t, "touch-ola");
	await ola.ask(`join ${room}`);
	await hasStatus(page, "playing");
	for (const n of [1, 5]) await square(page, n).tap();
	await ola.hear(({type}) => type === "moved");
	await ola.act("1-5");
	await page.locator("button.choice").first().waitFor();
	await square(page, 1).tap();
	await page.locator(".stage .ghost").first().waitFor();
	await square(page, 1).tap();
	assert.equal((await ola.hear(({type}) => type === "collapsed")).square, 1);
});

test("hostile titles and chat stay text", async (t) => {
	const evil = '<img src=x onerror="document.title=1"><b>bold</b>';
	const ola = await server.player(t, "evil-ola");
	const {room} = await ola.ask(JSON.stringify({type: "create", side: "X", title: evil.slice(0, 60)}));
	const lobby = await browser.open(t, server.url);
	await eventually(async () => (await lobby.locator(".rooms").allTextContents()).join().includes("<img src=x"), "the title");
	const ala = await browser.open(t, `${server.url}#${room}`);
	await ala.locator("[data-act=join]").click();
	await ola.hear(({type}) => type === "started");
	await ola.ask(JSON.stringify({type: "say", text: evil}));
	await eventually(async () => (await ala.locator(".log").textContent()).includes(evil), "the chat");
	await ala.locator(".say input").fill("<script>alert(1)</script> & <i>");
	await ala.keyboard.press("Enter");
	await eventually(async () => (await ala.locator(".log").textContent()).includes("<script>alert(1)</script> & <i>"), "one's own");
	for (const page of [lobby, ala]) {
		assert.equal(await page.locator("main img, main script, .log b, .rooms b, #live b").count(), 0);
		assert.notEqual(await page.title(), "1");
	}
});

test("a name is claimed, an invitation comes and is accepted, and a draw is agreed", async (t) => {
	const page = await browser.open(t, server.url);
	await page.locator("#you").click();
	await page.locator("dialog .ask input").first().fill("Łucja");
	await page.keyboard.press("Enter");
	await eventually(async () => await page.locator("#you").textContent() === "Łucja", "the name");
	const ola = await server.player(t, "host-ola");
	await ola.ask(JSON.stringify({type: "create", opponent: "Łucja", side: "X"}));
	await page.locator(".card").filter({hasText: "host-ola invites you"}).getByRole("button", {name: "Join"}).click();
	await hasStatus(page, "playing");
	await ola.act("1-2");
	await ola.ask("draw");
	await page.locator("[data-act=yes]").click();
	await hasStatus(page, "over");
	assert.equal(await status(page).textContent(), "A draw was agreed.");
	await page.reload();
	await eventually(async () => await page.locator("#you").textContent() === "Łucja", "the name after a reload");
});

test("a name that is taken is refused in words", async (t) => {
	await server.player(t, "taken");
	const page = await browser.open(t, server.url);
	await page.locator("#you").click();
	await page.locator("dialog .ask input").first().fill("Taken");
	await page.keyboard.press("Enter");
	await page.locator(".wrong").filter({hasText: "Somebody has that name."}).waitFor();
});

test("the lobby shows rooms as they come and go", async (t) => {
	const page = await browser.open(t, server.url);
	const ola = await server.player(t, "lobby-ola");
	await page.locator("[data-list=waiting]").waitFor();
	const {room} = await ola.ask("create X title=Rainy day");
	const row = page.locator(`a[href="#${room}"]`);
	await row.waitFor();
	assert.match(await row.textContent(), /Rainy day.*Join/);
	const other = await server.player(t, "lobby-other");
	await other.ask(`join ${room}`);
	await page.locator("[data-list=playing]").locator(`a[href="#${room}"]`).waitFor();
	await ola.ask("resign");
	await row.waitFor({state: "detached"});
});

test("a room of one's own stands in the lobby as one's own", async (t) => {
	const page = await browser.open(t, server.url);
	const room = await open(page);
	await page.locator(".brand").click();
	const row = page.locator("[data-list=mine]").locator(`a[href="#${room}"]`);
	await row.waitFor();
	const ola = await server.player(t, "mine-ola");
	await ola.ask(`join ${room}`);
	await page.locator(".card").filter({hasText: "The game begins"}).getByRole("button", {name: "Go on"}).click();
	await hasStatus(page, "playing");
	await page.locator(".brand").click();
	await row.filter({hasText: "Your turn"}).waitFor();
});

test("a room that is not there says so", async (t) => {
	const page = await browser.open(t, `${server.url}#22222`);
	await eventually(async () => /no such room/.test(await status(page).textContent()), "the refusal");
	for (const part of [".stage", ".plates", ".chat"]) assert.equal(await page.locator(part).isVisible(), false, part);
	assert.equal(await page.getByRole("link", {name: "To the lobby"}).isVisible(), true);
});
