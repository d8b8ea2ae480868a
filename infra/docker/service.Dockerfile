# One file for every image: --build-arg SERVICE=services/notes (or services/auth, services/agents,
# services/gateway, or packages/admin with COMMAND=migrate and PROGRAM=src/main.ts). Services run as bundles, the rest runs as it is.

# The production dependencies of the lockfile, fetched once for all images, and again only if it changes.
FROM node:24-bookworm-slim AS fetched
ENV CI=true
RUN npm install --global pnpm@12
WORKDIR /app
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch --prod --ignore-scripts && rm -rf node_modules

# What the gateway serves: the operators' console, and the tarballs of command line and client. Development packages
# stay in this stage.
FROM fetched AS served
COPY tsconfig.base.json ./
# The manifests of the workspace packages in the bundles, and of those that they depend on.
COPY packages/cli/package.json packages/cli/
COPY packages/config/package.json packages/config/
COPY packages/contracts/package.json packages/contracts/
COPY packages/file-lock/package.json packages/file-lock/
COPY packages/identity/package.json packages/identity/
COPY testing/e2e/package.json testing/e2e/
COPY testing/testkit/package.json testing/testkit/
COPY packages/client/package.json packages/client/
COPY packages/merge/package.json packages/merge/
COPY packages/note-files/package.json packages/note-files/
COPY packages/console/package.json packages/console/
RUN pnpm install --frozen-lockfile --ignore-scripts \
      --filter @commonplace/console --filter @commonplace/client \
      --filter @commonplace/merge --filter @commonplace/note-files \
      --filter commonplace --filter @commonplace/config --filter @commonplace/contracts \
      --filter @commonplace/file-lock --filter @commonplace/identity
COPY packages/client packages/client
COPY packages/merge packages/merge
COPY packages/note-files packages/note-files
COPY packages/console packages/console
RUN node packages/console/build/main.ts
COPY packages/cli packages/cli
COPY packages/config packages/config
COPY packages/contracts packages/contracts
COPY packages/file-lock packages/file-lock
COPY packages/identity packages/identity
COPY docs/openapi.json docs/
COPY tools/repository-root.ts tools/run-command.ts tools/prepare-packages.ts tools/
COPY tools/packages tools/packages
RUN npm_execpath=$(command -v pnpm) node tools/prepare-packages.ts

# One program of the service and of all that it imports (docs/adr/0076), made by a bundler that stays in this stage.
FROM fetched AS bundled
ARG SERVICE
COPY . .
RUN mkdir -p "${SERVICE}/dist" && rm package.json \
 && case "${SERVICE}" in services/*) \
      name=$(node -p "require('./${SERVICE}/package.json').name") \
       && pnpm install --offline --prod --frozen-lockfile --ignore-scripts \
            --filter @commonplace/service-bundle --filter-prod "${name}..." \
       && node packages/service-bundle/src/main.ts "${SERVICE#services/}" ;; \
    esac

# This service, the packages it uses and their production dependencies; nothing comes from the network.
# `pnpm deploy` would put our packages below node_modules, where Node refuses to strip types.
FROM fetched AS installed
ARG SERVICE
COPY . .
COPY --from=served /app/packages/console/dist /console
COPY --from=served /app/dist-packages /dist-packages
COPY --from=bundled /app/${SERVICE}/dist /bundle
# Without the package.json of the root, whose dependencies are for a checkout. `--no-optional` leaves out the
# embedded PostgreSQL.
RUN rm package.json && name=$(node -p "require('./${SERVICE}/package.json').name") \
 && pnpm install --offline --prod --frozen-lockfile --ignore-scripts --no-optional \
      --filter-prod "${name}..." \
 && mkdir /image \
 && cp --archive --parents node_modules /image \
 && pnpm list --depth -1 --parseable --filter-prod "${name}..." | sed 's|^/app/||' \
  | xargs -I{} cp --archive --parents {} /image \
 && if [ -e /bundle/made-from.json ]; then \
      cp --archive /bundle "/image/${SERVICE}/dist" \
       && mv "/image/${SERVICE}"/dist/b-* "/image/${SERVICE}/dist/bundle"; \
    fi \
 && if [ "${SERVICE}" = packages/admin ]; then \
      cp --archive --parents infra/postgres services/*/migrations /image; \
    fi \
 && if [ "${SERVICE}" = services/gateway ]; then \
      mkdir -p /image/packages/console && cp --archive /console /image/packages/console/dist \
       && cp --archive /dist-packages /image/dist-packages; \
    fi

FROM node:24-bookworm-slim
ARG SERVICE
ARG COMMAND=
ARG PROGRAM=dist/bundle/main.js
WORKDIR /app
ENV SERVICE=${SERVICE} PROGRAM=${PROGRAM} COMMAND=${COMMAND} HOST=0.0.0.0 PORT=8080 NODE_COMPILE_CACHE=/compiled
# As packages/embedded-postgres/src/malloc-environment.ts.
ENV MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
COPY infra/docker/is-ready /usr/local/bin/
COPY --from=installed /image /app
# Without configuration the process exits at its first statement. By then all its modules are compiled, so that no
# container has to compile them. Node has a cache per user; containers can read it but not write to it.
RUN install --directory --owner=node /compiled
USER node
RUN node "/app/${SERVICE}/${PROGRAM}" ${COMMAND} 2>&1 | grep 'The configuration is not valid'
USER root
RUN chown --recursive root:root /compiled && chmod --recursive a+rX,go-w /compiled
USER node
EXPOSE 8080
# exec, so that signals reach Node and not a shell. The flag is that of packages/standalone/src/node-flags.ts.
CMD ["sh", "-c", "exec node --max-semi-space-size=16 /app/$SERVICE/$PROGRAM $COMMAND"]
