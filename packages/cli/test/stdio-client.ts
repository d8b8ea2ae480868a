import { cliProgram, nodeEnvironment } from '@commonplace/testkit';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const program = cliProgram();

/** Starts the bridge as a client does, and connects the official client of one revision to it. */
export const connectStdio = async (
  env: Readonly<Record<string, string>>,
  era: '2025-11-25' | '2026-07-28' = '2025-11-25',
): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === '2026-07-28' ? { versionNegotiation: { mode: { pin: era } } } : {},
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      env: { ...nodeEnvironment(), ...env },
    }),
  );
  return client;
};

/** The text of a result, and whether it is an error. */
export const callTool = async (
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
) => {
  const result = await client.callTool({ name, arguments: args }, { timeout: 150_000 });
  const text = (result.content as readonly { readonly text: string }[])
    .map((block) => block.text)
    .join('\n');
  const data = (result.structuredContent ?? {}) as Readonly<Record<string, unknown>>;
  return { isError: result.isError === true, text, data };
};
