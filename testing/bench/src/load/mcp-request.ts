import type { LoadRequest } from './run-load.ts';

const revision = '2026-07-28';

const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of a client of the newest revision of MCP, which needs no session. */
export const mcpRequest = (
  authorization: Readonly<Record<string, string>>,
  method: string,
  { name, ...params }: Readonly<Record<string, unknown>> & { readonly name?: string } = {},
): LoadRequest => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    ...authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, ...(name === undefined ? {} : { name }), _meta: meta },
  }),
});

/** A call of a tool. */
export const toolCall = (
  authorization: Readonly<Record<string, string>>,
  name: string,
  args: Readonly<Record<string, unknown>>,
): LoadRequest => mcpRequest(authorization, 'tools/call', { name, arguments: args });
