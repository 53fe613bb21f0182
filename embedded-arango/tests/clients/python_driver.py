"""Drives the server with python-arango: `python_driver.py URL`. Ends with an error at the first thing that is not as expected."""

import sys

from arango import ArangoClient
from arango.exceptions import (
    AQLQueryExecuteError,
    CursorNextError,
    DocumentInsertError,
    DocumentRevisionError,
    ServerConnectionError,
    TransactionAbortError,
)

url = sys.argv[1]
client = ArangoClient(hosts=url)
system = client.db("_system", username="root", password="secret", verify=True)


def fails(number, kind, action):
    """The action must raise this kind of error with this number."""
    try:
        action()
    except kind as error:
        assert error.error_code == number, (error.error_code, str(error))
        return
    raise AssertionError(f"no {kind.__name__}")


# Databases, collections, indexes.
assert system.version().startswith("3.12")
system.create_database("shop", users=[{"username": "ann", "password": "pw", "active": True}])
assert "shop" in system.databases()
db = client.db("shop", username="ann", password="pw", verify=True)
try:
    client.db("shop", username="ann", password="wrong", verify=True)
    raise AssertionError("a wrong password was accepted")
except ServerConnectionError:
    pass
goods = db.create_collection("goods")
buys = db.create_collection("buys", edge=True)
assert buys.properties()["edge"]
goods.add_index({"type": "persistent", "fields": ["price"], "name": "by_price"})
assert {index["type"] for index in goods.indexes()} == {"primary", "persistent"}

# Documents: one, many, import, options, errors.
meta = goods.insert({"_key": "tea", "price": 3, "tags": ["drink"]}, return_new=True)
assert meta["new"]["price"] == 3
fails(1210, DocumentInsertError, lambda: goods.insert({"_key": "tea"}))
many = goods.insert_many([{"_key": f"g{n}", "price": n} for n in range(2500)] + [{"_key": "tea"}])
assert isinstance(many[-1], DocumentInsertError) and len(many) == 2501
assert goods.import_bulk([{"_key": "salt", "price": 1}, {"_key": "salt"}], on_duplicate="ignore")["ignored"] == 1
assert goods.count() == 2502
updated = goods.update({"_key": "tea", "extra": {"a": 1}}, return_old=True, return_new=True)
assert "extra" not in updated["old"] and updated["new"]["tags"] == ["drink"]
stale = dict(meta, _key="tea", price=4)
stale.pop("new")
fails(1200, DocumentRevisionError, lambda: goods.replace(stale, check_rev=True))
assert goods.get("nothing") is None and goods.has("tea")
assert goods.delete("salt", return_old=True)["old"]["price"] == 1

# Queries: bind variables, batches, count, profile, explain, errors.
cursor = db.aql.execute(
    "FOR g IN @@goods FILTER g.price >= @least SORT g.price RETURN g.price",
    bind_vars={"@goods": "goods", "least": 100},
    batch_size=200,
    count=True,
    full_count=True,
)
assert cursor.count() == 2400 and cursor.batch() is not None and cursor.has_more()
assert list(cursor) == list(range(100, 2500))
closed = db.aql.execute("FOR i IN 1..10 RETURN i", batch_size=2)
assert closed.close() is True
fails(1600, CursorNextError, lambda: list(closed))
fails(1501, AQLQueryExecuteError, lambda: db.aql.execute("FOR g IN goods RETRUN g"))
fails(1203, AQLQueryExecuteError, lambda: db.aql.execute("FOR g IN absent RETURN g"))
fails(1551, AQLQueryExecuteError, lambda: db.aql.execute("RETURN @x"))
plan = db.aql.explain("FOR g IN goods FILTER g.price == 7 RETURN g")
assert [node["type"] for node in plan["nodes"]][:2] == ["SingletonNode", "IndexNode"], plan
assert db.aql.validate("FOR g IN goods RETURN g")["collections"] == ["goods"]

# A graph and a traversal.
graph = db.create_graph(
    "trade",
    edge_definitions=[
        {"edge_collection": "buys", "from_vertex_collections": ["people"], "to_vertex_collections": ["goods"]}
    ],
)
graph.insert_vertex("people", {"_key": "bo"})
graph.insert_edge("buys", {"_from": "people/bo", "_to": "goods/tea", "n": 2})
found = db.aql.execute("FOR v, e, p IN 1..2 OUTBOUND 'people/bo' GRAPH 'trade' RETURN [v._key, e.n, LENGTH(p.edges)]")
assert list(found) == [["tea", 2, 1]]
assert [edge["_to"] for edge in graph.edges("buys", "people/bo", direction="out")["edges"]] == ["goods/tea"]

# Stream transactions: what is written is seen within, and outside only once it is committed.
trx = db.begin_transaction(read="goods", write="people")
trx.collection("people").insert({"_key": "eve"})
assert trx.collection("people").has("eve") and not db.collection("people").has("eve")
assert trx.transaction_status() == "running"
trx.abort_transaction()
assert not db.collection("people").has("eve")
trx = db.begin_transaction(write=["people"])
trx.collection("people").insert({"_key": "eve"})
fails(1652, AQLQueryExecuteError, lambda: trx.aql.execute("INSERT {} INTO goods"))
trx.commit_transaction()
assert db.collection("people").has("eve")
fails(1653, TransactionAbortError, trx.abort_transaction)

# Views and analyzers.
db.create_analyzer("lower", "norm", {"locale": "en", "case": "lower", "accent": False}, ["frequency"])
db.create_arangosearch_view("look", {"links": {"people": {"fields": {"name": {"analyzers": ["text_en"]}}}}})
db.collection("people").insert({"_key": "zoe", "name": "Buying teas and coffees"})
text = "FOR p IN look SEARCH ANALYZER(p.name IN TOKENS('tea', 'text_en'), 'text_en') OPTIONS {waitForSync: true} RETURN p._key"
assert list(db.aql.execute(text)) == ["zoe"]

# Users and what they may do.
system.create_user("reader", "pw")
system.update_permission("reader", "ro", "shop")
reader = client.db("shop", username="reader", password="pw")
assert reader.collection("goods").has("tea")
fails(1004, DocumentInsertError, lambda: reader.collection("people").insert({"_key": "x"}))
fails(1004, AQLQueryExecuteError, lambda: reader.aql.execute("REMOVE 'bo' IN people"))
assert db.collection("people").has("bo")

# Tokens in place of passwords.
token = client.db("shop", username="ann", password="pw", auth_method="jwt")
assert token.collection("goods").count() == 2501

assert system.delete_database("shop")
print("python-arango: as expected")
