"""What search finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from segue.ctx import Context
from segue.model.event import Draft
from segue.model.operation import check
from segue.operations.search import EVENT_SEARCH, SEARCH
from segue.projectors.derive import rebuild
from tests.places import answer, capture, context, edited, header, prompt, ran

QUERIES = [
    "用户身份", "用户", "docker 部署", "队列端口错配", "队列", "itgc", "悬空", "しりとり", "끝말잇기", "成语接龙",
    "微信读书 书架 阅读偏好", "项目用什么数据库", "测试模型访问", "ask-codex", "wrap-up", "pre-edit", "pre-edit-check",
    "multi-agent", "BENCH-100821", "ABC-123", "foo-bar", "-100821", "-band", "ADR-016", "C-ADR-003", "DEC-0054",
    "khive-pack-kg", "uteke-cloud-dev", "pve-01", "lxc-103", "gpt-4", "v2.1", "2026-12-15", "GB/s", "src/auth.rs",
    "src/main.py", "Downloads/transcripts", "C:\\repo\\src\\main.py", "CLAUDE.md", "data-api", "docker-compose",
    "grammar::fa", "memory:safe", "title:x", "(python", "plan (draft)", "plan?", 'foo"bar', 'hello"world', 'say "hi',
    'test "quoted" value', "don't use agents", "what's the deploy plan?", "foo AND bar", "AND", "OR", "NOT", "NEAR",
    "and", "tier1-test AND unicode", "descricao da sessao", "Te acordas de algo de lo que hablamos?",
    "how should I update hermes", "what happened with the deployment rollback",
    "have we discussed cross project search strategy", "communication preferences telegram format",
    "how do I deploy to production", "", "   ",
    "nul\0inside", "\ud800", "😀", "'", "''", '"', "*", "a*", "%", "_", "\\",
    "NEAR(a b, 3)", "words: x", "^x", "{a b}", "a + b", "-- comment", "; DROP TABLE events", "$1", ":name", "%s",
]  # fmt: skip


def ask(ctx: Context, query: str, **more: Any) -> dict[str, Any]:
    return SEARCH.run(ctx, check(SEARCH.params, {"query": query, **more}, person=True))


def found(ctx: Context, query: str, **more: Any) -> list[str]:
    return [hit["snippet"] for hit in ask(ctx, query, events=True, **more)["hits"]]


@pytest.mark.promise("SEA-1")
def test_every_query_of_the_corpus_returns_and_finds_its_own_text(ctx: Context) -> None:
    searchable = [query for query in QUERIES if any(c.isalnum() for c in query)]
    for at, query in enumerate(searchable):
        capture(ctx, prompt(f"{query}"), into=header(f"s{at}"))
    capture(ctx, prompt("descrição da sessão"), into=header("accents"))
    missed = []
    for query in QUERIES:
        answer_ = ask(ctx, query, events=True, limit=200)
        shown = [hit["snippet"] for hit in answer_["hits"]]
        words = [w for w in query.lower().split() if w.isalnum()]
        stops_only = query in ("AND", "OR", "NOT", "and", "NEAR")
        if (
            query in searchable
            and not stops_only
            and "\0" not in query
            and words
            and not any(" ".join(query.split()) in text for text in shown[:3])
        ):
            missed.append(query)
    assert missed == []


@pytest.mark.promise("SEA-1")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=80))
def test_any_text_is_a_query(query: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    ctx = _shared(tmp_path_factory)
    answer_ = ask(ctx, query)
    assert isinstance(answer_["hits"], list)
    assert SEARCH.text(answer_)


_KEPT: list[Context] = []


def _shared(factory: pytest.TempPathFactory) -> Context:
    if not _KEPT:
        _KEPT.append(context("sqlite://:memory:", factory.mktemp("any")))
        capture(_KEPT[0], prompt("something to look for"))
    return _KEPT[0]


@pytest.mark.promise("SEA-2")
def test_every_substring_of_an_unspaced_text_is_found(ctx: Context) -> None:
    texts = ["用户身份验证失败需要重新登录", "しりとりで遊ぶ", "끝말잇기를합니다", "สวัสดีชาวโลก"]
    for at, text in enumerate(texts):
        capture(ctx, prompt(f"x {text} y"), into=header(f"s{at}"))
    for text in texts:
        for start in range(len(text) - 1):
            for end in range(start + 2, min(len(text), start + 6) + 1):
                assert any(text in hit for hit in found(ctx, text[start:end])), text[start:end]
    assert found(ctx, "份") == ["x 用户身份验证失败需要重新登录 y"]


@pytest.mark.promise("SEA-2")
def test_pieces_of_a_longer_query_are_found_where_the_whole_is_not(ctx: Context) -> None:
    capture(ctx, prompt("检查队列的端口配置"))
    assert found(ctx, "队列端口错配") == ["检查队列的端口配置"]
    assert found(ctx, "docker 端口") == ["检查队列的端口配置"]


@pytest.mark.promise("SEA-3")
@pytest.mark.parametrize(
    ("text", "query"),
    [("descrição da sessão", "descricao sessao"), ("Ｆｕｌｌｗｉｄｔｈ", "fullwidth"),
     ("GROẞE Straße", "grosse strasse"),
     ("naïve café", "NAIVE CAFE"), ("Ångström", "angstrom"), ("Ёлка", "ёлка")],
)  # fmt: skip
def test_accents_case_and_width_do_not_matter(text: str, query: str, ctx: Context) -> None:
    capture(ctx, prompt(text), prompt("control"))
    assert found(ctx, query) == [text]


@pytest.mark.promise("SEA-4")
@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("call parseHTTPReply now", ["parseHTTPReply", "parsehttpreply", "http reply", "parse"]),
        ("see user_profile_cache", ["user_profile_cache", "profile cache", "user_profile"]),
        ("deploy uteke-cloud-dev", ["uteke-cloud-dev", "uteke-cloud", "cloud"]),
        ("in src/auth/login.rs line", ["src/auth/login.rs", "login.rs", "auth/login", "auth"]),
        ("module pkg.sub.mod", ["pkg.sub.mod", "sub.mod", "sub"]),
        ("on C:\\repo\\src\\main.py", ["C:\\repo\\src\\main.py", "src\\main.py", "main.py"]),
        ("due 2026-12-15", ["2026-12-15", "2026-12"]),
        ("std::vec::Vec", ["std::vec", "vec::Vec"]),
    ],
)
def test_joined_names_are_found_whole_and_by_parts(text: str, queries: list[str], ctx: Context) -> None:
    capture(ctx, prompt(text), prompt("nothing of the kind"), into=header("s1"))
    for query in queries:
        assert found(ctx, query)[:1] == [text], query


@pytest.mark.promise("SEA-4")
def test_the_whole_name_ranks_before_its_parts(ctx: Context) -> None:
    capture(ctx, prompt("cloud dev uteke are words here"), prompt("the uteke-cloud-dev name"))
    assert found(ctx, "uteke-cloud-dev")[0] == "the uteke-cloud-dev name"


@pytest.mark.promise("SEA-5")
def test_a_sentence_is_found_by_what_it_shares(ctx: Context) -> None:
    capture(ctx, prompt("the deployment failed, we did a rollback"), prompt("deployment docs"), prompt("lunch"))
    hits = found(ctx, "what happened with the deployment rollback")
    assert hits == ["the deployment failed, we did a rollback", "deployment docs"]


@pytest.mark.promise("SEA-6")
@pytest.mark.parametrize("query", ["what did we do", "the", "", "???"])
def test_a_query_of_nothing_gives_the_most_recent_and_says_so(query: str, ctx: Context) -> None:
    capture(ctx, prompt("older"), into=header("s1"))
    capture(ctx, prompt("newer"), into=header("s2"))
    answer_ = ask(ctx, query)
    assert [hit["snippet"] for hit in answer_["hits"]] == ["newer", "older"]
    assert any("most recent" in note for note in answer_["notes"])


@pytest.mark.promise("SEA-7")
def test_everything_that_carries_words_is_searchable(ctx: Context) -> None:
    call = {"tool": "Bash", "call_id": "1", "input": {"command": "make zebra", "nested": [{"deep": "giraffe"}]}}
    capture(
        ctx,
        prompt("prompt walrus"),
        answer("answer okapi"),
        Draft(type="tool/call", origin="tool", body=call, action="command"),
        ran("run lemur", "ok", "output tapir"),
        Draft(type="tool/result", origin="tool", body={"error": "error quokka"}, action="command", outcome="failed"),
        edited("[WORKSPACE]/src/ibex.py", "old numbat", "new wombat"),
        Draft(type="todo/write", origin="model", body={"todos": [{"content": "todo dugong", "status": "pending"}]}),
        Draft(type="compaction/summary", origin="host_summary", body={"text": "summary narwhal"}),
        Draft(type="turn/end", origin="host", body={"note": "silent"}),
    )
    animals = "walrus okapi zebra giraffe lemur tapir quokka ibex numbat wombat dugong narwhal".split()
    assert [animal for animal in animals if len(found(ctx, animal)) != 1] == []
    assert found(ctx, "silent") == []


@pytest.mark.promise("SEA-8")
def test_each_session_gives_its_strongest_event(ctx: Context) -> None:
    for name in ("s1", "s2", "s3"):
        capture(ctx, prompt("needle " + "hay " * 40), prompt("needle"), answer("hay"), into=header(name))
    hits = ask(ctx, "needle")["hits"]
    assert sorted(hit["session"]["id"] for hit in hits) == [f"claude-code:s{n}" for n in (1, 2, 3)]
    assert {hit["snippet"] for hit in hits} == {"needle"}


@pytest.mark.promise("SEA-9")
def test_a_search_sees_what_was_captured_before_it(ctx: Context) -> None:
    assert found(ctx, "fresh") == []
    capture(ctx, prompt("fresh"))
    assert found(ctx, "fresh") == ["fresh"]


@pytest.mark.promise("SEA-13")
def test_filters_are_inclusive_and_combine(ctx: Context) -> None:
    capture(
        ctx, prompt("needle a", time="2026-11-01T00:00:00.000Z"), answer("needle b", time="2026-11-02T00:00:00.000Z")
    )
    capture(ctx, ran("needle c", "ok", time="2026-11-03T00:00:00.000Z"))
    assert found(ctx, "needle", event_types=["user/message"]) == ["needle a"]
    assert found(ctx, "needle", time_from="2026-11-02T00:00:00Z", time_to="2026-11-02T00:00:00Z") == ["needle b"]
    assert len(found(ctx, "needle", time_from="2026-11-02T02:00:00+02:00")) == 2
    assert found(ctx, "needle", event_surfaces=["log-only"]) == []
    within = EVENT_SEARCH.run(
        ctx,
        check(
            EVENT_SEARCH.params,
            {"query": "needle", "session_id": "claude-code:s1", "seq_from": 1, "seq_to": 1},
            person=False,
        ),
    )
    assert [hit["seq"] for hit in within["hits"]] == [1]


@pytest.mark.promise("SEA-13")
@pytest.mark.parametrize(
    "wrong",
    [{"time_from": "2026-11-02"}, {"time_from": "yesterday"}, {"event_types": ["nonsense"]}, {"event_types": []},
     {"event_surfaces": ["above"]}, {"limit": 0},
     {"time_from": "2026-11-02T00:00:00Z", "time_to": "2026-11-01T00:00:00Z"}],
)  # fmt: skip
def test_wrong_filters_are_refused(wrong: dict[str, Any], ctx: Context) -> None:
    from segue.errors import UsageError

    with pytest.raises(UsageError):
        ask(ctx, "needle", **wrong)


@pytest.mark.promise("SEA-14")
def test_a_rebuilt_index_gives_the_same_answers(ctx: Context) -> None:
    for at in range(30):
        capture(
            ctx,
            prompt(f"needle {at} 队列端口 parseConfig{at}"),
            ran(f"pytest -k t{at}", "ok"),
            into=header(f"s{at % 4}"),
        )
    queries = ["needle", "needle 7", "端口", "parseConfig3", "pytest", "t11 needle"]
    before = [(ask(ctx, q, events=True, limit=200)["hits"], ask(ctx, q)["hits"]) for q in queries]
    ctx.store.run("DELETE FROM event_docs")
    assert rebuild(ctx, ctx.spool_dir).indexed == 60
    after = [(ask(ctx, q, events=True, limit=200)["hits"], ask(ctx, q)["hits"]) for q in queries]
    assert after == before
    assert all(hits for hits, _ in before)


@pytest.mark.promise("SEA-17")
def test_what_was_cut_is_said(ctx: Context) -> None:
    for at in range(5):
        capture(ctx, prompt(f"needle {at}"), into=header(f"s{at}"))
    assert ask(ctx, "needle", limit=3)["capped"] is True
    assert ask(ctx, "needle", limit=5)["capped"] is False
    many = ask(ctx, " ".join(f"word{n}" for n in range(100)))
    assert any("only its first terms" in note for note in many["notes"])
