// Drives the server with arangojs: `javascript_driver.mjs URL`. Ends with an error at the first thing that is not as expected.

import assert from "node:assert/strict";
import { Database, aql } from "arangojs";

const url = process.argv[2];
const auth = { username: "root", password: "secret" };
const system = new Database({ url, auth });

const fails = (errorNum, promise) =>
  assert.rejects(promise, (error) => {
    assert.equal(error.errorNum, errorNum, String(error));
    return true;
  });

// Databases, collections, indexes.
assert.equal((await system.version()).server, "arango");
const db = await system.createDatabase("library");
assert.ok((await system.listDatabases()).includes("library"));
const books = await db.createCollection("books");
const lends = await db.createEdgeCollection("lends");
assert.equal((await lends.get()).type, 3);
await books.ensureIndex({ type: "persistent", fields: ["year"], name: "by_year" });
assert.deepEqual((await books.indexes()).map((index) => index.type), ["primary", "persistent"]);

// Documents: one, many, import, options, errors.
const saved = await books.save({ _key: "b1", title: "Ärger im Büro", year: 1987 }, { returnNew: true });
assert.equal(saved.new.title, "Ärger im Büro");
await fails(1210, books.save({ _key: "b1" }));
const all = await books.saveAll(Array.from({ length: 1500 }, (_, n) => ({ _key: `x${n}`, year: n })));
assert.equal(all.length, 1500);
assert.equal((await books.import([{ _key: "b2" }, { _key: "b2" }], { onDuplicate: "ignore" })).ignored, 1);
const updated = await books.update("b1", { pages: 9 }, { returnNew: true });
assert.equal(updated.new.year, 1987);
await fails(1200, books.replace("b1", { year: 1 }, { ifMatch: saved._rev }));
assert.equal(await books.documentExists("nothing"), false);
await fails(1202, books.document("nothing"));
assert.equal(await books.document("nothing", { graceful: true }), null);
assert.equal((await books.count()).count, 1502);

// Queries: bind variables, batches, errors, plans.
const least = 700;
const cursor = await db.query(aql`FOR b IN ${books} FILTER b.year >= ${least} SORT b.year RETURN b.year`, {
  batchSize: 100,
  count: true,
});
assert.equal(cursor.count, 801);
let batches = 0;
const years = [];
for await (const batch of cursor.batches) {
  batches += 1;
  years.push(...batch);
}
assert.equal(batches, 9);
assert.equal(years.at(-1), 1987);
const half = await db.query(aql`FOR i IN 1..10 RETURN i`, { batchSize: 2 });
assert.equal(await half.next(), 1);
await half.kill();
await fails(1501, db.query("FOR b IN"));
await fails(1203, db.query("FOR b IN absent RETURN b"));
await fails(1551, db.query("RETURN @x"));
const plan = await db.explain(aql`FOR b IN ${books} FILTER b.year == 7 RETURN b`);
assert.ok(plan.plan.nodes.some((node) => node.type === "IndexNode"));
assert.deepEqual((await db.parse("FOR b IN books RETURN b")).collections, ["books"]);

// A graph and a traversal.
const graph = await db.createGraph("desk", [{ collection: "lends", from: ["readers"], to: ["books"] }]);
await graph.vertexCollection("readers").save({ _key: "lou" });
await graph.edgeCollection("lends").save({ _from: "readers/lou", _to: "books/b1" });
const reached = await db.query(aql`FOR v, e IN 1..1 OUTBOUND "readers/lou" GRAPH "desk" RETURN v.title`);
assert.deepEqual(await reached.all(), ["Ärger im Büro"]);
assert.equal((await lends.outEdges("readers/lou")).edges.length, 1);

// Stream transactions.
const readers = db.collection("readers");
const trx = await db.beginTransaction({ write: ["readers"], read: ["books"] });
await trx.step(() => readers.save({ _key: "kim" }));
assert.equal(await readers.documentExists("kim"), false);
await fails(1652, trx.step(() => db.query("INSERT {} INTO books")));
await trx.commit();
assert.equal(await readers.documentExists("kim"), true);
const dropped = await db.beginTransaction({ exclusive: ["readers"] });
await dropped.step(() => readers.remove("kim"));
await dropped.abort();
assert.equal(await readers.documentExists("kim"), true);

// Views, users, tokens.
await db.createView("find", { type: "arangosearch", links: { books: { fields: { title: { analyzers: ["text_de"] } } } } });
const found = await db.query(
  'FOR b IN find SEARCH ANALYZER(b.title IN TOKENS("büro", "text_de"), "text_de") OPTIONS {waitForSync: true} RETURN b._key',
);
assert.deepEqual(await found.all(), ["b1"]);
await system.createUser("guest", { passwd: "pw" });
await system.setUserAccessLevel("guest", { database: "library" }, "ro");
const guest = new Database({ url, databaseName: "library", auth: { username: "guest", password: "pw" } });
assert.equal((await guest.collection("books").count()).count, 1502);
await fails(1004, guest.query("REMOVE 'b1' IN books"));
await new Database({ url }).login("root", "secret");
await system.dropDatabase("library");
console.log("arangojs: as expected");
