/* The connection and the rooms of the page, without a browser: against a socket made of nothing. */

import assert from "node:assert/strict";
import {test} from "node:test";

import {modules} from "./harness.js";

class Socket {
	readyState = 1;
	sent = [];
	send(text) {
		this.sent.push(JSON.parse(text));
	}
	close() {}
	hear(line) {
		this.onmessage({data: JSON.stringify(line)});
	}
	answer(more) {
		const {id, type} = this.sent.at(-1);
		this.hear({type: "ok", re: id, to: type, ...more});
	}
}

class Storage extends Map {
	getItem(key) {
		return this.get(key) ?? null;
	}
	setItem(key, value) {
		this.set(key, value);
	}
	removeItem(key) {
		this.delete(key);
	}
}

const settled = () => new Promise((done) => setImmediate(done));

async function connected(t, stored = []) {
	const {Client} = await modules(t, "client");
	const sockets = [];
	const client = new Client("ws://here/ws", new Storage(stored), () => {
		sockets.push(new Socket());
		return sockets.at(-1);
	});
	t.after(() => client.end());
	client.connect();
	sockets[0].onopen();
	await settled();
	return {client, sockets, reconnect: async () => {
		sockets.at(-1).onclose();
		client.connect();
		sockets.at(-1).onopen();
		await settled();
		return sockets.at(-1);
	}};
}

test("who has no name says no hello and keeps the one that is given", async (t) => {
	const {client, sockets} = await connected(t);
	assert.equal(sockets[0].sent.length, 0);
	const made = client.ask({type: "create"});
	sockets[0].answer({room: "k7m2q", you: "guest-abc", token: "t".repeat(22)});
	assert.equal((await made).room, "k7m2q");
	assert.equal(client.you, "guest-abc");
	assert.equal(client.token, "t".repeat(22));
});

test("a token says hello before anything else", async (t) => {
	const {client, sockets} = await connected(t, [["qttt.token", "secret"]]);
	client.ask({type: "help"}).catch(() => {});
	assert.deepEqual(sockets[0].sent.map(({type}) => type), ["hello"]);
	sockets[0].answer({name: "ala", rooms: ["k7m2q"]});
	await settled();
	assert.equal(client.you, "ala");
	assert.deepEqual(sockets[0].sent.map(({type}) => type), ["hello", "help"]);
});

test("a token that nobody knows is dropped and the page goes on", async (t) => {
	const {client, sockets} = await connected(t, [["qttt.token", "secret"], ["qttt.name", "ala"]]);
	const {id} = sockets[0].sent[0];
	sockets[0].hear({type: "error", re: id, to: "hello", code: "bad_token"});
	await settled();
	assert.equal(client.token, null);
	assert.equal(client.you, null);
	assert.ok(client.isUp);
});

test("who is void here but has a name in another tab takes that one", async (t) => {
	const {client, sockets} = await connected(t, [["qttt.token", "guest"]]);
	client.storage.setItem("qttt.token", "named");
	sockets[0].hear({type: "error", re: sockets[0].sent[0].id, to: "hello", code: "bad_token"});
	await settled();
	assert.equal(sockets[0].sent.at(-1).token, "named");
	sockets[0].answer({name: "ala", rooms: []});
	await settled();
	assert.equal(client.you, "ala");
});

test("a tab keeps its own guest when another tab becomes somebody else", async (t) => {
	const {client, sockets, reconnect} = await connected(t);
	client.ask({type: "create"}).catch(() => {});
	sockets[0].answer({room: "k7m2q", you: "guest-abc", token: "mine"});
	client.storage.setItem("qttt.token", "of another tab");
	assert.equal((await reconnect()).sent[0].token, "mine");
});

test("a move that was not answered is asked again with its number and stale means it was played", async (t) => {
	const {client, reconnect} = await connected(t);
	const move = {type: "move", room: "k7m2q", squares: [1, 5], move: 3};
	const asked = client.ask(move);
	const socket = await reconnect();
	const again = socket.sent.at(-1);
	assert.deepEqual({...again, id: 0}, {...move, id: 0});
	socket.hear({type: "error", re: again.id, to: "move", code: "stale"});
	assert.equal((await asked).code, "stale");
});

test("stale at the first time is a refusal", async (t) => {
	const {client, sockets} = await connected(t);
	const asked = client.ask({type: "move", squares: [1, 5], move: 3});
	sockets[0].hear({type: "error", re: sockets[0].sent[0].id, to: "move", code: "stale"});
	await assert.rejects(asked, {code: "stale"});
});

test("what can't be told apart is not sent twice", async (t) => {
	const {client, reconnect} = await connected(t);
	const asked = client.ask({type: "say", text: "hello"});
	const lost = assert.rejects(asked, {code: "lost"});
	const socket = await reconnect();
	assert.equal(socket.sent.length, 0);
	await lost;
});

test("a name whose claim was not answered is claimed again by the same token", async (t) => {
	const {client, sockets, reconnect} = await connected(t);
	const lost = assert.rejects(client.beCalled("ala"), {code: "lost"});
	const first = sockets[0].sent[0];
	const socket = await reconnect();
	await lost;
	const again = client.beCalled("ala");
	assert.equal(socket.sent[0].token, first.token);
	assert.match(first.token, /^[\w-]{22,64}$/);
	socket.answer({name: "ala", rooms: []});
	await again;
	assert.equal(client.token, first.token);
});

test("what is longer than a name is a token to come back by", async (t) => {
	const {client, sockets} = await connected(t);
	const token = "k".repeat(22);
	const back = client.beCalled(token);
	assert.deepEqual({...sockets[0].sent[0], id: 0}, {type: "hello", token, id: 0});
	sockets[0].answer({name: "ala", rooms: []});
	await back;
	assert.deepEqual([client.you, client.token], ["ala", token]);
});

test("waits grow, are varied by chance, and last at least as long as the server says", async (t) => {
	const {backOff} = await modules(t, "client");
	assert.deepEqual([0, 1, 2, 20].map((n) => backOff(n, 0, 1)), [500, 1000, 2000, 30000]);
	assert.equal(backOff(2, 0, 0), 1000);
	assert.ok(backOff(0, 4000, 0) >= 4000);
});

test("who was sent away stays away", async (t) => {
	const {client, sockets} = await connected(t);
	sockets[0].hear({type: "bye", reason: "kicked"});
	sockets[0].onclose();
	client.connect();
	assert.equal(sockets.length, 1);
});

const BOARD = {move: 1, turn: "X", phase: "move", squares: [[], [], [], [], [], [], [], [], []],
	choices: null, cycle: null, outcomes: null};
const BEGIN = [{type: "opened", seq: 1, player: "ala", private: false, clock: null},
	{type: "seated", seq: 2, seat: "X", player: "ala"}, {type: "seated", seq: 3, seat: "O", player: "ola"},
	{type: "started", seq: 4, players: {X: "ala", O: "ola"}, board: BOARD, clock: null}];

test("a room is what its events make it and notices when one is missing", async (t) => {
	const {Room} = await modules(t, "client");
	const room = new Room("k7m2q");
	for (const event of BEGIN) assert.equal(room.apply(event), "new");
	assert.equal(room.status, "playing");
	assert.equal(room.seatOf("ola"), "O");
	assert.equal(room.seatOf(null), null);
	assert.equal(room.apply(BEGIN[3]), "old");
	assert.equal(room.apply({type: "draw_offered", seq: 6, by: "X"}), "gap");
	assert.equal(room.seq, 4);
});

test("an offer lapses when its receiver acts and not when its maker does", async (t) => {
	const {Room} = await modules(t, "client");
	const room = new Room("k7m2q");
	for (const event of BEGIN) room.apply(event);
	room.apply({type: "draw_offered", seq: 5, by: "X"});
	room.apply({type: "moved", seq: 6, by: "X", move: 1, squares: [1, 2], board: BOARD, clock: null});
	assert.equal(room.draw_offer, "X");
	room.apply({type: "moved", seq: 7, by: "O", move: 2, squares: [1, 2], board: BOARD, clock: null});
	assert.equal(room.draw_offer, null);
});

test("a clock that runs is counted down and stops at nothing", async (t) => {
	const {Room} = await modules(t, "client");
	let now = 1000;
	const room = new Room("k7m2q", () => now);
	for (const event of BEGIN) room.apply(event);
	room.apply({type: "moved", seq: 5, by: "X", move: 1, squares: [1, 2], board: BOARD,
		clock: {X_ms: 5000, O_ms: 3000, running: "O"}});
	now += 2000;
	assert.deepEqual([room.left("X"), room.left("O")], [5000, 1000]);
	now += 2000;
	assert.equal(room.left("O"), 0);
});

test("a snapshot beyond the events says that some are missing", async (t) => {
	const {Room} = await modules(t, "client");
	const room = new Room("k7m2q");
	const snapshot = {room: "k7m2q", seq: 9, status: "over", players: {X: null, O: null}, board: BOARD, chat: []};
	room.take(snapshot);
	assert.equal(room.hasAll, false);
	assert.equal(room.isKnown, true);
	const whole = new Room("k7m2q");
	for (const event of BEGIN) whole.apply(event);
	whole.take({...snapshot, seq: 4});
	assert.equal(whole.hasAll, true);
});

test("a record is written and read", async (t) => {
	const {record, readRecord} = await modules(t, "client");
	const steps = [{type: "moved", by: "X", move: 1, squares: [1, 5]}, {type: "moved", by: "O", move: 2, squares: [1, 5]},
		{type: "collapsed", by: "X", move: 2, square: 5}, {type: "moved", by: "X", move: 9, squares: [3]}];
	const text = "1:X(1-5),2:O(1-5),2c:X(O2(5)),9:X(3-3)";
	assert.equal(record(steps, {reason: "resign", score: {X: 1, O: 0}}), text);
	assert.equal(record(steps, {reason: "line", score: {X: 0.5, O: 1}}), `${text}::X(0.5)-O(1)`);
	assert.deepEqual(readRecord(text).map(({type, by, move}) => [type, by, move]),
		[["moved", "X", 1], ["moved", "O", 2], ["collapsed", "X", 2], ["moved", "X", 9]]);
});
