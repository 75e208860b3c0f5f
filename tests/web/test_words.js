/* The table of messages: complete in each language, and all that the page asks it for is there. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";

import {WEB, modules} from "./harness.js";

const names = (words) => [...new Set(words.match(/\{\w+\}/g) || [])].sort();
const forms = (words) => typeof words === "string" ? [words] : Object.values(words);
const sources = () => fs.readdirSync(WEB).filter((name) => name.endsWith(".js"))
	.map((name) => fs.readFileSync(path.join(WEB, name), "utf8"));

test("every message has words in every language with the same names in them", async (t) => {
	const {WORDS, LANGUAGES} = await modules(t, "words");
	for (const [key, row] of Object.entries(WORDS)) {
		assert.equal(row.length, LANGUAGES.length, key);
		const wanted = names(forms(row[0]).at(-1));
		for (const words of row.flatMap(forms)) {
			assert.ok(words, key);
			assert.deepEqual(names(words), wanted, `${key}: ${words}`);
		}
	}
});

test("what depends on a number has a form for each kind of number", async (t) => {
	const {WORDS, LANGUAGES} = await modules(t, "words");
	for (const [key, row] of Object.entries(WORDS)) {
		LANGUAGES.forEach(([code], i) => {
			if (typeof row[i] === "string") return;
			const kinds = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
			assert.deepEqual(Object.keys(row[i]).sort(), [...kinds].sort(), `${key} ${code}`);
		});
	}
});

test("every key that the page names is in the table and every row is named", async (t) => {
	const {WORDS} = await modules(t, "words");
	const text = sources().join("\n");
	const asked = [...text.matchAll(/\bt\("(\w+)"/g)].map(([, key]) => key);
	assert.ok(asked.length > 60);
	assert.deepEqual(asked.filter((key) => !WORDS[key]), []);
	const made = /^(e|cause|result|lesson\d|bot|told|turn|other)_?/;
	const unused = Object.keys(WORDS).filter((key) => !made.test(key) && !text.includes(`"${key}"`));
	assert.deepEqual(unused, []);
});

test("every code of the protocol has its words", async (t) => {
	const {WORDS, STALE} = await modules(t, "words");
	const listed = fs.readFileSync(path.join(WEB, "../../protocol/PROTOCOL.md"), "utf8")
		.split("## Errors")[1].split("\n## ")[0];
	const codes = [...listed.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
	/* What a program can do wrong, and a page does not. */
	const never = ["bad_json", "too_long", "bad_request", "unknown_type", "bad_protocol", "bad_square", "internal"];
	assert.ok(codes.length > 30);
	assert.deepEqual(codes.filter((code) => !never.includes(code) && !STALE.has(code) && !WORDS[`e_${code}`]), []);
});

test("the first language that one reads and the page speaks is taken", async (t) => {
	const {best} = await modules(t, "words");
	assert.equal(best(["de-AT", "pl-PL", "en"]), "pl");
	assert.equal(best(["fr"]), "en");
	assert.equal(best([]), "en");
});

test("Polish numbers take their forms", async (t) => {
	const {choose, t: words} = await modules(t, "words");
	choose("pl", false);
	assert.deepEqual([1, 2, 5, 22].map((n) => words("watchers", {n})), ["1 widz", "2 widzów", "5 widzów", "22 widzów"]);
});

test("points are written in halves", async (t) => {
	const {half} = await modules(t, "words");
	assert.deepEqual([0, 0.5, 1, 1.5, 2].map(half), ["0", "½", "1", "1½", "2"]);
});

test("no module makes markup of text", () => {
	for (const text of sources()) {
		assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|DOMParser|cookie/);
	}
});
