# Haris in a container: the first stage installs and builds, the second holds what runs. The pinned Node comes from npm.
ARG BASE=docker.io/library/debian:trixie-slim

FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates nodejs npm \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /haris
COPY . .
# Packages, face models and the web app; then only what production needs stays.
RUN node scripts/prepare.mjs \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf .cache/prepare.lock e2e bench /root/.npm

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin haris \
 && install -d -o haris -g haris -m 700 /data
COPY --from=build /haris /haris
WORKDIR /haris
USER 10001
# Inside the container every interface; the ports that are published decide who reaches them.
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_ENV=production
VOLUME /data
EXPOSE 3000 1883
STOPSIGNAL SIGTERM
# Within the container: with TLS_CERT the certificate is for the public name, not for this address.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node_modules/.bin/node", "-e", "const { PORT, TLS_CERT } = process.env; require(TLS_CERT?.trim() ? 'https' : 'http').get({ host: '127.0.0.1', port: PORT ?? 3000, path: '/healthz', rejectUnauthorized: false }, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# tini reaps the processes that the face engine leaves behind when it is killed.
ENTRYPOINT ["/usr/bin/tini", "--", "node_modules/.bin/node", "apps/server/src/main.ts"]
