# One file for every image: --build-arg SERVICE=services/notes (or services/auth, services/agents,
# services/gateway, packages/migrations). The sources run as they are; nothing is compiled.

# What the lockfile names for production, fetched once for all images and again only when it changes.
FROM node:24-bookworm-slim AS fetched
ENV CI=true
RUN npm install --global pnpm@12
WORKDIR /app
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch --prod --ignore-scripts && rm -rf node_modules

# This service, the packages it uses and their production dependencies; nothing comes from the network.
# `pnpm deploy` would put our packages below node_modules, where Node refuses to strip types.
FROM fetched AS installed
ARG SERVICE
COPY . .
RUN name=$(node -p "require('./${SERVICE}/package.json').name") \
 && pnpm install --offline --prod --frozen-lockfile --ignore-scripts --filter-prod "${name}..." \
 && mkdir /image \
 && cp --archive --parents node_modules /image \
 && pnpm list --depth -1 --parseable --filter-prod "${name}..." | sed 's|^/app/||' \
  | xargs -I{} cp --archive --parents {} /image \
 && if [ "${SERVICE}" = packages/migrations ]; then \
      cp --archive --parents infra/postgres services/*/migrations /image; \
    fi

FROM node:24-bookworm-slim
ARG SERVICE
WORKDIR /app
ENV SERVICE=${SERVICE} HOST=0.0.0.0 PORT=8080
COPY infra/docker/is-ready /usr/local/bin/
COPY --from=installed /image /app
USER node
EXPOSE 8080
# exec, so that signals reach Node and not a shell.
CMD ["sh", "-c", "exec node /app/$SERVICE/src/main.ts"]
