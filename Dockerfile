# One image for every part of the service; the command selects the part: `node --max-semi-space-size=8 bin/api.ts` (the default),
# `node bin/worker.ts`, `node bin/migrate.ts`, and for test environments `node sandbox/rail/main.ts`.
# Debian, not Alpine: Temporal's core library is built for glibc.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

FROM ${NODE_IMAGE} AS base
WORKDIR /app
COPY package.json package-lock.json ./

# Run-time packages. None needs its install script, so none is run.
FROM base AS production-packages
RUN --mount=type=cache,target=/var/cache/npm npm ci --cache=/var/cache/npm --omit=dev --ignore-scripts --no-audit --no-fund

# Prebuilt files: the workflow bundle, and the scripts and styles of the page and the dashboard.
FROM base AS build
RUN --mount=type=cache,target=/var/cache/npm npm ci --cache=/var/cache/npm --ignore-scripts --no-audit --no-fund
COPY . .
RUN node page/http/build.ts && node dashboard/build.ts && node worker/bundle.ts dist/workflow-bundle.js

FROM base
ENV NODE_ENV=production \
    API_HOST=0.0.0.0 \
    WORKFLOW_BUNDLE=/app/dist/workflow-bundle.js
COPY --from=production-packages /app/node_modules node_modules
COPY . .
COPY --from=build /app/dist dist
USER node
EXPOSE 8080
# For the API; docker-compose.yml overrides it for the other parts.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "deploy/healthcheck.mjs", "8080"]
CMD ["node", "--max-semi-space-size=8", "bin/api.ts"]
