import { McpServer, type Server } from '@modelcontextprotocol/server';
import { addContentTools } from './content-tools.ts';
import { addInputTools } from './input-tools.ts';
import { addNotifyingTools } from './notifying-tools.ts';
import { addPrompts } from './prompts.ts';
import { addRequestingTools } from './requesting-tools.ts';
import { verifyState } from './request-state.ts';
import { addResources } from './resources.ts';

type ServerFor = { readonly era: 'legacy' | 'modern' };

/** Shared by all callers, because it is the same for all. */
const hint = { ttlMs: 60_000, cacheScope: 'public' } as const;

/** The server that the conformance suite expects, in the place of the one that serves notes. */
export const createServer = ({ era }: ServerFor): Server => {
  const mcp = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      ...(era === 'modern' ? { supportedProtocolVersions: ['2026-07-28'] } : {}),
      capabilities: {
        tools: {},
        prompts: {},
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
      cacheHints: {
        'tools/list': hint,
        'prompts/list': hint,
        'resources/list': hint,
        'resources/templates/list': hint,
        'resources/read': hint,
        'server/discover': hint,
      },
      requestState: { verify: verifyState },
    },
  );
  addContentTools(mcp);
  addNotifyingTools(mcp);
  addRequestingTools(mcp);
  addInputTools(mcp);
  addResources(mcp);
  addPrompts(mcp);
  const { server } = mcp;
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('logging/setLevel', () => ({}));
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
};
