"""Prometheus metrics. Normal values: docs/operations.md."""

from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.process_collector import ProcessCollector

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
counter, gauge = partial(Counter, registry=REGISTRY), partial(Gauge, registry=REGISTRY)
histogram = partial(Histogram, registry=REGISTRY)

FAST: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bucket bounds in seconds, for internal durations."""

FIRST_ANSWER: Final = histogram(
    "rollcall_first_answer_seconds",
    "From an interaction to Discord's receipt of the first answer; after 3 seconds Discord gives up.",
    buckets=(0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 2.0, 2.5, 3.0, 10.0),
)
FAILED_ANSWERS: Final = counter(
    "rollcall_failed_answers", "First answers that Discord did not take, by its status; 0 for none.", ["status"]
)
TAKEN_ELSEWHERE: Final = counter(
    "rollcall_taken_elsewhere",
    "Interactions that this process heard of too, and another one with the same shards answered.",
)
RATE_LIMITED: Final = counter("rollcall_rate_limited", "Requests that Discord refused with 429.")
REQUEST_WAITS: Final = histogram(
    "rollcall_request_waits_seconds",
    "How long requests waited for their turn that found none, by what they are for.",
    ["urgency"],
    buckets=(0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)
REQUESTS_WAITING: Final = gauge("rollcall_requests_waiting", "Requests to Discord that wait for their turn.")
OVER_BUDGET: Final = counter(
    "rollcall_over_budget",
    "What was refused, or waited, because its server had used what it may cost the others.",
    ["what"],
)
REQUESTS_A_SECOND: Final = gauge(
    "rollcall_requests_a_second", "How many requests a second this process may send to Discord."
)
DATABASE: Final = histogram("rollcall_database_seconds", "A transaction, with the wait for it.", buckets=FAST)
PAINTING: Final = histogram("rollcall_painting_seconds", "The picture of a card.", buckets=FAST)
LATENCY: Final = gauge("rollcall_gateway_latency_seconds", "From a heartbeat to its acknowledgment.", ["shard"])
SERVERS: Final = gauge("rollcall_servers", "Servers that this process knows.")
LOOP_HELD: Final = counter(
    "rollcall_loop_held", "How often an answer held the event loop for more than 100 ms; nobody else was answered then."
)
ANSWERING: Final = gauge("rollcall_answering", "Interactions that are being answered.")
COUNTS_WAITING: Final = gauge(
    "rollcall_counts_waiting", "Large questions of odds and luck that are counted or wait for it."
)
OPEN_ROLLS: Final = gauge("rollcall_open_sessions", "Rolls that were opened in the last hour, of the newest 5000.")
DRAWS: Final = gauge("rollcall_fresh_draws", "Dice drawn so far, without those that came again.", ["kind"])
BACKUP_AT: Final = gauge("rollcall_backup_timestamp_seconds", "When the last backup ended; 0 for never.")
REHEARSED_AT: Final = gauge(
    "rollcall_rehearsal_timestamp_seconds", "When a backup was last restored to see whether it can be; 0 for never."
)
IDENTIFIES_LEFT: Final = gauge(
    "rollcall_identifies_left", "Gateway sessions that Discord still lets this bot begin today."
)
