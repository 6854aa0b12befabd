# Clubscore in a container. The build prepares everything; the club's data is in the volume /data.
FROM python:3.11-slim-bookworm AS build
ENV PYTHONDONTWRITEBYTECODE=1
WORKDIR /app
# Packages first: they change less often than Clubscore.
COPY requirements.txt requirements.lock ./
RUN python3 -m venv --without-pip .venv \
    && python3 -m pip --python .venv/bin/python install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY LICENSE run manage.py ./
COPY clubscore clubscore
COPY sessions_app sessions_app
COPY sample_data sample_data
COPY templates templates
COPY static static
# Finds the packages already installed, records that, and collects the static files.
RUN CLUBSCORE_VAR=/tmp/build ./run install && .venv/bin/python -m compileall -q clubscore sample_data sessions_app

FROM python:3.11-slim-bookworm
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 CLUBSCORE_VAR=/data container=oci
# pg_dump 15 backs up a PostgreSQL server in DATABASE_URL. Keep its major version the same as in compose.yaml.
# Its programs themselves, with the library that they load: Debian's wrapper brings Perl for choosing among versions.
RUN apt-get update && apt-get install -y --no-install-recommends libpq5 liblz4-1 libreadline8 libzstd1 \
    && cd /tmp && apt-get download postgresql-client-15 && dpkg --unpack --force-depends postgresql-client-15_*.deb \
    && ln -s /usr/lib/postgresql/15/bin/pg_dump /usr/lib/postgresql/15/bin/pg_restore /usr/lib/postgresql/15/bin/psql /usr/local/bin/ \
    && pg_dump --version && pg_restore --version && psql --version \
    && rm -rf /tmp/*.deb /var/lib/apt/lists/* /usr/local/lib/python3.11/site-packages/*
RUN useradd --system --uid 10001 --home-dir /data --no-create-home clubscore \
    && install -d -m 700 -o clubscore -g clubscore /data
WORKDIR /app
COPY --from=build /app /app
USER clubscore
VOLUME /data
EXPOSE 8000
# A start that backs up and migrates a large database takes minutes.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30m \
    CMD ["python3", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["./run", "--host", "0.0.0.0", "--port", "8000"]
