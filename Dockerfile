FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY migrations migrations
COPY docs/verify.html docs/verify.html
RUN python -m venv /opt/rollcall \
    && PIP_CONSTRAINT=constraints.txt /opt/rollcall/bin/pip install --no-cache-dir --disable-pip-version-check '.[postgres,speed]'

FROM python:3.11-slim-bookworm
COPY --from=build /opt/rollcall /opt/rollcall
ENV PATH=/opt/rollcall/bin:$PATH PYTHONUNBUFFERED=1
# The database's default address is data/rollcall.db beside the process, which is this volume.
WORKDIR /rollcall
RUN useradd --uid 1000 --no-create-home rollcall && mkdir data && chown rollcall data
USER rollcall
VOLUME /rollcall/data
STOPSIGNAL SIGTERM
CMD ["rollcall", "run"]
