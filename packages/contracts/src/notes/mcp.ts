import { z } from 'zod';
import { routeContract } from '../route-contract.ts';

/** A JSON-RPC 2.0 message. The MCP server checks it, and its errors are JSON-RPC too. */
const message = z
  .looseObject({})
  .meta({ id: 'JsonRpcMessage', description: 'A JSON-RPC 2.0 message' });

/** JSON-RPC messages; revisions of MCP before 2025-06-18 may send several at once. */
const messages = z.union([message, z.array(message).min(1).max(32)]);

const failure = z
  .looseObject({ error: z.looseObject({ code: z.int(), message: z.string() }) })
  .meta({ id: 'JsonRpcError', description: 'A JSON-RPC 2.0 error' });

const mcp = {
  service: 'notes',
  method: 'post',
  tag: 'MCP',
  description: `The Model Context Protocol over Streamable HTTP, for clients of the revisions from 2024-11-05 to 2026-07-28.
There are no sessions: any process serves any request, and GET and DELETE are 405. What a credential has no scope for is not
listed. Errors of a tool are results with \`isError\`. \`docs/mcp.md\` describes tools, resources and prompts.

The messages of an array run one after another, and each counts as a request for the rate limit.

\`subscriptions/listen\` gets a stream of server-sent events, if \`Mcp-Method\` names it.`,
  headers: {
    'MCP-Protocol-Version': 'The revision of the protocol.',
    'Mcp-Method': 'From revision 2026-07-28: the `method` of the message.',
    'Mcp-Name': 'From revision 2026-07-28: the tool, prompt or resource.',
    'Idempotency-Key': 'Up to 64 characters, unique per caller: makes a retry of a tool call safe.',
  },
  body: messages,
  // 512 KiB of content with JSON escapes.
  bodyBytesMax: 2 * 1024 * 1024,
  countsMessages: true,
  errorShape: 'json_rpc',
  responses: {
    200: {
      description: 'The response, as JSON or as an event stream',
      schema: messages,
      headers: { 'Cache-Control': { description: '`private, no-store`' } },
      eventStream: 'Events `message` with a JSON-RPC message each',
    },
    202: { description: 'Notifications were accepted' },
    400: { description: 'The message is not valid', schema: failure },
    404: { description: 'There is no such method', schema: failure },
    413: { description: 'The body is too large', schema: failure },
    415: { description: 'The body is not JSON', schema: failure },
  },
  errors: ['malformed_header'],
  streamedWith: { header: 'mcp-method', value: 'subscriptions/listen' },
} as const;

export const callMcpContract = routeContract({
  ...mcp,
  operationId: 'callMcp',
  path: '/mcp',
  summary: 'Call the MCP server',
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'any',
    grants: 'kept',
    operators: 'viewer',
    state: 'any',
  },
  connections: 'optional',
});

export const callConnectMcpContract = routeContract({
  ...mcp,
  operationId: 'callConnectMcp',
  path: '/connect/mcp',
  summary: 'Call the MCP server with an access token of OAuth',
  description: `The server of \`/mcp\`, for access tokens of connections alone: API keys, run tokens and sessions are 401 here, and
these tokens are 401 everywhere else. The \`WWW-Authenticate\` of a 401 names the metadata of the resource (RFC 9728).`,
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'any',
    grants: 'kept',
    operators: 'never',
    state: 'any',
  },
  connections: 'only',
  anyOrigin: true,
});
