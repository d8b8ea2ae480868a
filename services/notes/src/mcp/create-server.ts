import { readFileSync } from 'node:fs';
import { mayPropose } from '@commonplace/contracts/core';
import { asAppError } from '@commonplace/http';
import { endWithError, startSpan, withSpan } from '@commonplace/tracing';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { listNotesContract } from '@commonplace/contracts/notes';
import { CheckedServer } from './checked-server.ts';
import { errorResult } from './error-result.ts';
import { oneLine } from './format.ts';
import { modernRevision } from './exchange-directly.ts';
import { describeGrants } from './describe-grants.ts';
import { mayCall } from './may-call.ts';
import type { McpSession } from './mcp-session.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import { tools } from './tools/index.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string };

/** Lists depend on the credential, so no shared cache may keep them. */
const listHint = { ttlMs: 60_000, cacheScope: 'private' } as const;

const common = {
  instructions:
    'Notes that all agents of a company share. Begin with get_context. Change notes with edit_note; errors say what to do next.',
  cacheHints: {
    'tools/list': listHint,
    'prompts/list': listHint,
    'resources/templates/list': listHint,
    'server/discover': listHint,
    'resources/list': { ttlMs: 0, cacheScope: 'private' },
    'resources/read': { ttlMs: 0, cacheScope: 'private' },
  },
  // Only for responses to elicitations, which this server never sends; the default would build a validator each time.
  jsonSchemaValidator: {
    getValidator: () => {
      throw new Error('This server validates no schema of a client');
    },
  },
} as const satisfies ServerOptions;

export type ServerFor = {
  readonly session: McpSession;
  /** Subscriptions exist from revision 2026-07-28 on. */
  readonly era: 'legacy' | 'modern';
  readonly onTool: (name: string) => void;
  readonly onFailure: (error: unknown) => void;
};

/** Creates the MCP server of one request. It holds nothing: all state is in the database. */
export const createServer = ({ session, era, onTool, onFailure }: ServerFor): Server => {
  const mayRead = mayCall(session, listNotesContract);
  const canSubscribe = mayRead && era === 'modern';
  const server = new CheckedServer(
    { name: 'commonplace', title: 'Commonplace', version },
    {
      ...common,
      instructions: [common.instructions, ...describeGrants(session.company)].join(
        ' You reach these ',
      ),
      ...(era === 'modern' ? { supportedProtocolVersions: [modernRevision] } : {}),
      capabilities: {
        tools: {},
        prompts: {},
        ...(mayRead
          ? { resources: canSubscribe ? { subscribe: true, listChanged: true } : {} }
          : {}),
      },
    },
  );
  server.setRequestHandler('tools/list', () => {
    const kind = mayPropose(session.company.grants) ? 'proposingDefinition' : 'definition';
    return { tools: listedTools(session).map((tool) => tool[kind]) };
  });
  server.setRequestHandler('tools/call', ({ params }) => {
    onTool(params.name);
    return callTool(session, params, onFailure);
  });
  server.setRequestHandler('prompts/list', () => listPrompts(session));
  server.setRequestHandler('prompts/get', ({ params }) =>
    getPrompt(session, params.name, params.arguments ?? {}),
  );
  if (mayRead) {
    server.setRequestHandler('resources/list', ({ params }) =>
      listResources(session, params?.cursor),
    );
    server.setRequestHandler('resources/templates/list', () => resourceTemplates);
    server.setRequestHandler('resources/read', ({ params }) => readResource(session, params.uri));
  }
  return server;
};

const listedTools = (session: McpSession) =>
  tools.filter(({ contract }) => contract === null || mayCall(session, contract));

const callTool = async (
  session: McpSession,
  { name, arguments: given }: { readonly name: string; readonly arguments?: unknown },
  onFailure: (error: unknown) => void,
): Promise<CallToolResult> => {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (!tool) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${oneLine(name)}`);
  }
  const span = startSpan('mcp tool call', { attributes: { 'gen_ai.tool.name': name } });
  try {
    const result = await withSpan(span, () => tool.run(session, given));
    span.end();
    return result;
  } catch (error) {
    endWithError(span, asAppError(error));
    if (asAppError(error).status >= 500) {
      onFailure(error);
    }
    return errorResult(error);
  }
};
