# One file for every process: --build-arg SERVICE=services/notes (or services/auth, services/agents,
# services/gateway, packages/migrations). The sources run as they are; nothing is compiled.
FROM node:24-bookworm-slim AS install
ARG SERVICE
WORKDIR /app
ENV CI=true
COPY . .
# Production dependencies of this service and of the packages it uses, from the lockfile and nothing else.
# `pnpm deploy` would put our packages below node_modules, where Node refuses to strip types.
RUN name=$(node -p "require('./${SERVICE}/package.json').name") \
 && npx -y pnpm@12 install --prod --frozen-lockfile --ignore-scripts --filter "${name}..." \
 && rm -rf /root/.local /root/.npm /root/.cache

FROM node:24-bookworm-slim
ARG SERVICE
WORKDIR /app
ENV SERVICE=${SERVICE} HOST=0.0.0.0 PORT=8080
COPY --from=install --chown=root:root /app /app
USER node
EXPOSE 8080
# exec, so that signals reach Node and not a shell.
CMD ["sh", "-c", "exec node /app/$SERVICE/src/main.ts"]
