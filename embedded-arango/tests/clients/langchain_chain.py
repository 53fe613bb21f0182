"""LangChain's ArangoGraph and its question chain, with a model of fixed replies: `langchain_chain.py URL`."""

import sys

from arango import ArangoClient
from langchain_arangodb import ArangoGraph, ArangoGraphQAChain
from langchain_core.language_models.fake_chat_models import FakeListChatModel

client = ArangoClient(hosts=sys.argv[1])
system = client.db("_system", username="root", password="secret")
system.create_database("films")
db = client.db("films", username="root", password="secret")
db.create_graph(
    "cast",
    edge_definitions=[
        {"edge_collection": "plays", "from_vertex_collections": ["actors"], "to_vertex_collections": ["films"]}
    ],
)
db.collection("actors").insert_many([{"_key": "ida", "name": "Ida"}, {"_key": "max", "name": "Max"}])
db.collection("films").insert_many([{"_key": "f1", "title": "Rain", "year": 1999}, {"_key": "f2", "title": "Sun", "year": 2004}])
db.collection("plays").insert_many(
    [{"_from": "actors/ida", "_to": "films/f1"}, {"_from": "actors/ida", "_to": "films/f2"}, {"_from": "actors/max", "_to": "films/f2"}]
)

graph = ArangoGraph(db)
schema = graph.schema
assert {part["name"] for part in schema["collection_schema"]} == {"actors", "films", "plays"}, schema
assert "cast" in str(schema["graph_schema"]), schema
films = next(part for part in schema["collection_schema"] if part["name"] == "films")
assert films["size"] == 2 and "title" in str(films) and "year" in str(films), films

model = FakeListChatModel(
    responses=[
        "```aql\nFOR a IN actors FOR f OUTBOUND a plays FILTER f.year > 2000 RETURN a.name\n```",
        "```aql\nFOR a IN actors FOR f IN OUTBOUND a plays FILTER f.year > 2000 SORT a.name RETURN a.name\n```",
        "Ida and Max.",
    ]
)
chain = ArangoGraphQAChain.from_llm(
    llm=model, graph=graph, allow_dangerous_requests=True, return_aql_query=True, return_aql_result=True
)
answer = chain.invoke({"query": "Who plays in films after 2000?"})
assert "SORT a.name" in str(answer["aql_query"]), answer
assert answer["aql_result"] == ["Ida", "Max"], answer
assert "Ida and Max" in str(answer["result"]), answer
print("langchain-arangodb: as expected")
