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

FROM ${PYTHON}
COPY --from=build /opt/rollcall /opt/rollcall
ENV PATH=/opt/rollcall/bin:$PATH PYTHONUNBUFFERED=1
# By default, the database is data/rollcall.db in the working directory, which is on this volume.
WORKDIR /rollcall
RUN useradd --uid 1000 --no-create-home rollcall && mkdir data backups && chown rollcall data backups
USER rollcall
VOLUME /rollcall/data
STOPSIGNAL SIGTERM
CMD ["rollcall", "run"]
