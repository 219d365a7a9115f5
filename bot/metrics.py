"""What the bot measures of itself, for Prometheus. docs/operations.md says what is normal."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.process_collector import ProcessCollector

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

FAST: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds, for what happens inside the machine."""

FIRST_ANSWER: Final = Histogram(
    "rollcall_first_answer_seconds",
    "From an interaction to Discord's receipt of the first answer; after 3 seconds Discord gives up.",
    buckets=(0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 2.0, 2.5, 3.0, 10.0),
    registry=REGISTRY,
)
FAILED_ANSWERS: Final = Counter(
    "rollcall_failed_answers",
    "First answers that Discord did not take, by its status; 0 for none.",
    ["status"],
    registry=REGISTRY,
)
TAKEN_ELSEWHERE: Final = Counter(
    "rollcall_taken_elsewhere",
    "Interactions that this process heard of too, and another one with the same shards answered.",
    registry=REGISTRY,
)
RATE_LIMITED: Final = Counter("rollcall_rate_limited", "Requests that Discord refused with 429.", registry=REGISTRY)
REQUEST_WAITS: Final = Histogram(
    "rollcall_request_waits_seconds",
    "How long requests waited for their turn that found none, by what they are for.",
    ["urgency"],
    buckets=(0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
    registry=REGISTRY,
)
REQUESTS_WAITING: Final = Gauge(
    "rollcall_requests_waiting", "Requests to Discord that wait for their turn.", registry=REGISTRY
)
OVER_BUDGET: Final = Counter(
    "rollcall_over_budget",
    "What was refused, or waited, because its server had used what it may cost the others.",
    ["what"],
    registry=REGISTRY,
)
REQUESTS_A_SECOND: Final = Gauge(
    "rollcall_requests_a_second", "How many requests a second this process may send to Discord.", registry=REGISTRY
)
DATABASE: Final = Histogram(
    "rollcall_database_seconds", "A transaction, with the wait for it.", buckets=FAST, registry=REGISTRY
)
PAINTING: Final = Histogram("rollcall_painting_seconds", "The picture of a card.", buckets=FAST, registry=REGISTRY)
LATENCY: Final = Gauge(
    "rollcall_gateway_latency_seconds", "From a heartbeat to its acknowledgement.", ["shard"], registry=REGISTRY
)
SERVERS: Final = Gauge("rollcall_servers", "Servers that this process knows.", registry=REGISTRY)
ANSWERING: Final = Gauge("rollcall_answering", "Interactions that are being answered.", registry=REGISTRY)
COUNTS_WAITING: Final = Gauge(
    "rollcall_counts_waiting", "Large questions of odds and luck that are counted or wait for it.", registry=REGISTRY
)
OPEN_ROLLS: Final = Gauge(
    "rollcall_open_sessions", "Rolls that were opened in the last hour, of the newest 5000.", registry=REGISTRY
)
DRAWS: Final = Gauge(
    "rollcall_fresh_draws", "Dice drawn so far, without those that came again.", ["kind"], registry=REGISTRY
)
IDENTIFIES_LEFT: Final = Gauge(
    "rollcall_identifies_left", "Gateway sessions that Discord still lets this bot begin today.", registry=REGISTRY
)
