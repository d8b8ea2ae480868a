import { registerHooks } from 'node:module';

const fixture = new URL('create-fixture-server.ts', import.meta.url).href;

// Loaded with `--import` into the process of the notes service: its MCP route stays as it is, and gets this server.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './create-server.ts' &&
    context.parentURL?.endsWith('/services/notes/src/mcp/serve.ts') === true
      ? { url: fixture, shortCircuit: true }
      : next(specifier, context),
});
