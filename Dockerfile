# The tag moves with every fix; the digest pins 3.11.16. Dependabot proposes newer ones.
# To build from another image: docker build --build-arg PYTHON=python:3.13-slim-bookworm .
ARG PYTHON=python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b
FROM ${PYTHON} AS build
WORKDIR /src
COPY pyproject.toml hatch_build.py README.md LICENSE PRIVACY.md TERMS.md ./
COPY locks locks
COPY bot bot
COPY cogs cogs
COPY migrations migrations
COPY docs/verify.html docs/verify.html
COPY deploy/rollcall-backup deploy/rollcall-rehearsal deploy/
RUN python -m venv /opt/rollcall \
    && export PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    && /opt/rollcall/bin/pip install --require-hashes -r locks/run.txt \
    && /opt/rollcall/bin/pip install --no-deps --no-build-isolation . \
    && install deploy/rollcall-backup deploy/rollcall-rehearsal /opt/rollcall/bin/

FROM ${PYTHON} AS run
COPY --from=build /opt/rollcall /opt/rollcall
# Without docstrings the bot takes 6 MiB less (docs/speed.md); the user can't write what Python compiles for that.
ENV PATH=/opt/rollcall/bin:$PATH PYTHONUNBUFFERED=1 PYTHONOPTIMIZE=2
RUN python -m compileall -q /usr/local/lib/python3* /opt/rollcall/lib || true
# By default, the database is data/rollcall.db in the working directory, which is on this volume.
WORKDIR /rollcall
RUN useradd --uid 1000 --no-create-home rollcall && mkdir data backups && chown rollcall data backups
USER rollcall
VOLUME /rollcall/data
STOPSIGNAL SIGTERM
CMD ["rollcall", "run"]

# For backups of PostgreSQL: with the client programs of the same version as the server in deploy/compose.*.yaml. Its
# packages come from PostgreSQL's own repository, which Debian's script adds, and are signed with the key that it brings.
FROM run AS backup
USER root
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates postgresql-common \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install -y --no-install-recommends postgresql-client-16 \
    && rm -rf /var/lib/apt/lists/*
USER rollcall

# The last stage is what is built where none is named.
FROM run
