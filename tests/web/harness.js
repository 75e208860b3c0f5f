/* The real server, players at a socket, and a browser: for tests. All on port 0, in folders of
 * their own, and ended with the test that began them. */

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {webcrypto} from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import {after} from "node:test";
import {fileURLToPath, pathToFileURL} from "node:url";

/* Which browsers have, and node 18 has not yet. */
globalThis.crypto ??= webcrypto;

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const WEB = path.join(ROOT, "server/web");

const SLOW = Number(process.env.QTTT_SLOW || 1);
export const PATIENCE_MS = 15000 * SLOW;

export async function eventually(check, what) {
	for (const end = Date.now() + PATIENCE_MS; ;) {
		const got = await check();
		if (got) return got;
		assert.ok(Date.now() < end, `waited in vain for ${what}`);
		await new Promise((done) => setTimeout(done, 20));
	}
}

export function temporary(t) {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "qttt-web-"));
	t.after(() => fs.rmSync(folder, {recursive: true, force: true}));
	return folder;
}

/* The page's modules, as modules of node: they lie where nothing says that they are. */
export async function modules(t, ...names) {
	const folder = temporary(t);
	fs.cpSync(WEB, folder, {recursive: true});
	fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
	const all = names.map((name) => import(pathToFileURL(path.join(folder, `${name}.js`)).href));
	return Object.assign({}, ...await Promise.all(all));
}

/* In place of a test, for what all tests of a file share. */
const ends = [];
export const file = {after: (end) => ends.push(end)};
after(async () => {
	for (const end of ends.reverse()) await end();
});

export class Server {
	static async start(t, ...options) {
		const server = new Server(t, options);
		await server.run();
		t.after(() => server.end("SIGTERM"));
		return server;
	}

	constructor(t, options) {
		Object.assign(this, {options, db: path.join(temporary(t), "qttt.db"), tcp: 0, http: 0});
	}

	/* Again on the same ports, if it ran before. */
	async run() {
		const program = process.env.QTTTD || path.join(ROOT, "build/server/qtttd");
		this.process = spawn(program, ["--listen", `127.0.0.1:${this.tcp}`, "--http", `127.0.0.1:${this.http}`,
			"--db", this.db, "--no-limits", "--bot-pace", "50", ...this.options], {stdio: ["ignore", "pipe", "pipe"]});
		this.exit = new Promise((done) => this.process.on("exit", done));
		let out = "";
		this.log = "";
		this.process.stdout.on("data", (data) => out += data);
		this.process.stderr.on("data", (data) => this.log += data);
		const port = (door) => eventually(() => {
			assert.equal(this.process.exitCode, null, this.log);
			return Number(new RegExp(`listening ${door} \\S*:(\\d+)`).exec(out)?.[1]);
		}, `listening ${door}`);
		this.tcp = await port("tcp");
		this.http = await port("http");
		this.url = `http://127.0.0.1:${this.http}/`;
	}

	/* In order, which a sanitizer that found something does not call well; or by force. */
	async end(signal) {
		this.process.kill(signal);
		const status = await this.exit;
		if (signal === "SIGTERM") assert.equal(status, 0, this.log);
	}

	player(t, name) {
		return Hand.connect(t, this.tcp, name);
	}
}

/* Somebody at a socket: plain TCP, or what a program like netcat makes of it. */
export class Hand {
	static async connect(t, port, name) {
		const socket = net.connect(port, "127.0.0.1");
		t.after(() => socket.destroy());
		const hand = new Hand(socket, socket);
		if (name) await hand.ask(`hello ${name}`);
		return hand;
	}

	static netcat(t, port) {
		const nc = spawn("nc", ["127.0.0.1", `${port}`], {stdio: ["pipe", "pipe", "inherit"]});
		t.after(() => nc.kill());
		return new Hand(nc.stdin, nc.stdout);
	}

	constructor(into, from) {
		Object.assign(this, {into, lines: [], rest: ""});
		into.on("error", () => {});
		from.setEncoding("utf8").on("data", (data) => {
			const pieces = (this.rest + data).split("\n");
			this.rest = pieces.pop();
			this.lines.push(...pieces.map((line) => JSON.parse(line)));
		});
	}

	say(words) {
		this.into.write(`${words}\n`);
	}

	/* The next line for which it holds; what came before it is passed over. */
	hear(fits, what = "a line") {
		return eventually(() => {
			const at = this.lines.findIndex(fits);
			return at >= 0 && this.lines.splice(0, at + 1).at(-1);
		}, what);
	}

	async ask(words) {
		this.say(words);
		const answer = await this.hear(({type}) => type === "ok" || type === "error", `an answer to ${words}`);
		assert.equal(answer.type, "ok", `${words}: ${answer.message}`);
		return answer;
	}

	/* One action of a record: 1-7, or 5 for a measurement. */
	async act(action) {
		return this.ask(action.includes("-") ? `move ${action}` : `collapse ${action}`);
	}
}

export class Browser {
	static async start(t) {
		const {chromium} = await import("playwright-core").catch(() => {
			throw new Error("playwright-core is not there: npm ci --prefix tests/web");
		});
		const browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
			args: ["--no-sandbox", "--disable-gpu"]});
		t.after(() => browser.close());
		return new Browser(browser);
	}

	constructor(browser) {
		this.browser = browser;
	}

	/* A page of somebody new. Nothing may go wrong in it: what does fails the test. */
	async open(t, url, options = {}) {
		const context = await this.browser.newContext({locale: "en-GB", viewport: {width: 1100, height: 800}, ...options});
		context.setDefaultTimeout(PATIENCE_MS);
		const page = await context.newPage();
		page.complaints = [];
		page.asked = [];
		page.mayFail = false;
		page.on("pageerror", (error) => page.complaints.push(error.stack || String(error)));
		page.on("console", (message) => ["error", "warning"].includes(message.type()) &&
			!(page.mayFail && /ERR_CONNECTION|WebSocket/.test(message.text())) && page.complaints.push(message.text()));
		page.on("request", (request) => page.asked.push(request.url()));
		page.on("websocket", (socket) => page.asked.push(socket.url()));
		t.after(async () => {
			const cookies = await context.cookies();
			await context.close();
			assert.deepEqual(page.complaints, []);
			assert.deepEqual(cookies, []);
			const origin = new URL(url).host;
			assert.deepEqual(page.asked.filter((one) => !one.startsWith("data:") && new URL(one).host !== origin), []);
		});
		await page.goto(url);
		await page.waitForSelector("h1");
		return page;
	}
}

/* Things done on a page. */

export const square = (page, n) => page.locator(`[data-square="${n}"]`);
export const status = (page) => page.locator(".status").first();

export async function clickMove(page, action) {
	const steps = await page.locator(".moves li").count();
	for (const n of action.split("-")) await page.locator(`[data-square="${n}"][aria-disabled=false]`).click();
	await eventually(async () => await page.locator(".moves li").count() > steps, `move ${action}`);
}

export const hasStatus = (page, name) => page.waitForSelector(`[data-status=${name}]`);

/* The board as the drawing shows it: what stands in which square. */
export const drawn = (page) => page.evaluate(() => [...document.querySelectorAll("[data-square]")]
	.map((button) => button.getAttribute("aria-label")));

export const heard = (page) => page.evaluate(() => document.getElementById("live").textContent);
