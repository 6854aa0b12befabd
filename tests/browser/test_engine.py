"""The rules on the tablet, in the worker as it is served: each answer is the server's own, letter for letter."""

import json

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage

from clubscore.engine.answers import answer
from clubscore.site.static_storage import RULES
from tests.engine.questions import (
    as_text,
    by_chance,
    corpora,
    draws,
    entered,
    evenings,
    examples,
    exercises,
    house_rules,
    paper_sheets,
    played_hands,
    previews,
    sheets,
    starts,
    tables,
    worths,
)
from tests.share import shared

FILES = {
    "worker": "table/engine/worker.js",
    "python": "vendor/micropython/micropython.mjs",
    "wasm": "vendor/micropython/micropython.wasm",
    "rules": RULES,
}
# Two workers share the questions; each says when it was ready, and how long it took for each answer, in milliseconds.
ASK_ALL = """async ([{ worker: script, ...files }, questions]) => {
  const ready = [];
  const ask = (worker, question) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve({ error: message });
    worker.postMessage({ files, question });
  });
  const answers = [], times = [];
  const work = async (from) => {
    const worker = new Worker(script, { type: "module" });
    const began = performance.now();
    const first = await ask(worker);
    if (first.error) answers.push(first.error);
    ready.push(performance.now() - began);
    for (let at = from; at < questions.length; at += 2) {
      const asked = performance.now();
      const reply = await ask(worker, questions[at]);
      times[at] = performance.now() - asked;
      answers[at] = reply.error || reply.answer;
    }
    worker.terminate();
  };
  await Promise.all([work(0), work(1)]);
  return { answers, times, ready };
}"""


def files():
    return {name: staticfiles_storage.url(path) for name, path in FILES.items()}


def compare(page, questions):
    questions = json.loads(json.dumps(questions))
    found = page.evaluate(ASK_ALL, [files(), [as_text(question) for question in questions]])
    expected = [json.dumps(answer(question), ensure_ascii=False) for question in questions]
    differences = [
        (question, ours, theirs)
        for question, ours, theirs in zip(questions, expected, found["answers"], strict=True)
        if ours != theirs
    ]
    assert differences[:3] == []
    times = sorted(found["times"])
    print(len(times), "ready", found["ready"], "median", times[len(times) // 2], "p95", times[len(times) * 95 // 100])


def test_examples_and_evenings_come_out_as_on_the_server(tablet):
    """A ninth of the questions of each kind, every one of them with --long; those of tests/javascript are others."""
    one = tablet()
    one.open("/sign-in/")
    hands = [corpora(), examples(), by_chance(200), entered(100)]
    evening = [evenings(40), tables(30), sheets(15), previews(20), played_hands(20), paper_sheets(20)]
    questions = [*hands, *evening, worths(20), draws(15), exercises(30), starts(300), list(house_rules(60))]
    compare(one.page, [question for kind in questions for question in shared(shared(kind, 1), 1)])


@pytest.mark.long
def test_many_hands_and_evenings_come_out_as_on_the_server(tablet):
    one = tablet()
    one.open("/sign-in/")
    many = [*entered(200), *tables(60), *sheets(30), *previews(40), *played_hands(40), *paper_sheets(40), *worths(40)]
    compare(one.page, [*by_chance(2500), *evenings(400, 40), *many, *draws(30), *exercises(60)])


@pytest.mark.long
def test_a_worker_that_dies_gives_no_answer_and_the_next_one_answers(tablet):
    one = tablet()
    one.open("/sign-in/")
    client = staticfiles_storage.url("table/engine/engine.js")
    hand = {"hands": {"E": {}, "S": {"total": 64}, "W": {}, "N": {}}, "mahjong": {"by": "S"}}
    asked = """async ([client, files, question]) => {
      const { ask } = await import(client);
      const first = await ask(files, question);
      const fault = await ask(files, { ask: "nothing that is known" });
      const again = await ask(files, question);
      return [first.net, fault, again.net];
    }"""
    first, fault, again = one.page.evaluate(asked, [client, files(), {"ask": "score", "hand": hand}])
    assert (first, fault, again) == ({"E": -128, "S": 256, "W": -64, "N": -64}, None, first)


@pytest.mark.long
def test_a_late_error_of_a_stopped_worker_does_not_stop_the_next_one(tablet):
    one = tablet()
    one.open("/sign-in/")
    asked = """async (client) => {
      const workers = [];
      window.Worker = class {
        constructor() { workers.push(this); }
        terminate() { this.isStopped = true; }
        postMessage({ question }) {
          this.asked = question;
          if (question === undefined) queueMicrotask(() => this.onmessage({ data: { answer: "true" } }));
        }
      };
      const { ask } = await import(client);
      const first = await ask({}, "too slow", 1);
      const second = ask({}, "in time");
      while (!workers[1]?.asked) await null;
      workers[0].onerror();
      workers[1].onmessage({ data: { answer: '"answered"' } });
      return [first, await second, workers.map(({ isStopped }) => Boolean(isStopped))];
    }"""
    answers = one.page.evaluate(asked, staticfiles_storage.url("table/engine/engine.js"))
    assert answers == [None, "answered", [True, False]]


# Begins a worker, and returns what it keeps of the rules.
BEGIN = """async ({ worker: script, ...files }) => {
  const worker = new Worker(script, { type: "module" });
  worker.postMessage({ files });
  for (;;) {
    const kept = await (await caches.open("started-rules")).keys();
    if (kept.length) return kept.map(({ url }) => new URL(url).pathname);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}"""


def test_rules_that_have_begun_once_begin_again_without_their_sources(tablet):
    one = tablet()
    one.open("/sign-in/")
    assert one.page.evaluate(BEGIN, files()) == [files()["rules"]]
    one.context.route("**/rules.*.json", lambda route: route.abort())
    compare(one.page, [*corpora()[::40], *examples()[::40]])


COMPILE = "WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).then(() => 'compiled', () => 'refused')"
IPAD = (
    "Mozilla/5.0 (iPad; CPU OS 15_8_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/15.6.6 Mobile/15E148 Safari/604.1"
)


@pytest.mark.long
def test_the_policy_for_safari_15_lets_the_worker_answer_and_no_page(tablet):
    one = tablet(user_agent=IPAD)
    one.open("/sign-in/")
    compare(one.page, corpora()[:2])
    one._hear = lambda message: None
    assert one.page.evaluate(COMPILE) == "refused"


def test_only_the_worker_may_start_webassembly(tablet):
    one = tablet()
    one.open("/sign-in/")
    one._hear = lambda message: None
    policies = one.page.evaluate(
        "async (paths) => Promise.all(paths.map(async (path) => "
        "(await fetch(path)).headers.get('Content-Security-Policy').match(/script-src [^;]*/)[0]))",
        ["/sign-in/", *files().values()],
    )
    assert policies == ["script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"] + ["script-src 'self'"] * 3
    assert one.page.evaluate(COMPILE) == "refused"
