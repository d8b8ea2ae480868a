import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { identityHeaders } from '@commonplace/testkit';
import type { NotesWorld } from '../notes-world.ts';

type Caller = Parameters<NotesWorld['as']>[0];

/** The revisions of the protocol that tests pin. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
type Era = (typeof eras)[number];

export type McpService = {
  readonly url: string;
  /** Connects an official client that knows only one revision of the protocol. */
  readonly connect: (caller: Caller, era?: Era) => Promise<Client>;
  readonly close: () => Promise<void>;
};

/** Serves an app on a port, because the official client speaks HTTP only. */
export const startMcpService = async (app: RequestListener): Promise<McpService> => {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const clients: Client[] = [];
  return {
    url,
    connect: async (caller, era = '2026-07-28') => {
      const client = newClient(era);
      clients.push(client);
      // The identity of a request expires within seconds, so that each has its own.
      const fetchAs: typeof fetch = (input, init) => {
        const headers = new Headers(init?.headers);
        for (const [name, value] of Object.entries(identityHeaders(caller))) {
          headers.set(name, value);
        }
        return fetch(input, { ...init, headers });
      };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: fetchAs }));
      return client;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** An official client of one revision. */
const newClient = (era: Era): Client =>
  new Client(
    { name: 'test', version: '1.0.0' },
    era === '2026-07-28' ? { versionNegotiation: { mode: { pin: era } } } : {},
  );

/** The result of a tool. */
export type ToolResult = {
  readonly isError: boolean;
  readonly texts: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
};

/** Calls a tool. */
export const callTool = async (
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<ToolResult> => {
  const result = await client.callTool({ name, arguments: args });
  const content = result.content as readonly { readonly text: string }[];
  return {
    isError: result.isError === true,
    texts: content.map(({ text }) => text),
    data: (result.structuredContent ?? {}) as Readonly<Record<string, unknown>>,
  };
};
