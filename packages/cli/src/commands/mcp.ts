import { ConfigError } from '@commonplace/config';
import { readMcpAccess, type Access } from '../config.ts';
import { defineCommand } from '../define-command.ts';
import { invalidConfiguration } from '../mcp/failure-message.ts';
import { refuseRequests } from '../mcp/refuse-requests.ts';
import { runMcp } from '../mcp/run-mcp.ts';

/** `commonplace mcp`: serves the notes to an MCP client that starts it. */
export const mcp = defineCommand({
  name: 'mcp',
  usage: '',
  about:
    "Serves the company's notes to an MCP client over standard input and output. Clients start it themselves: docs/mcp.md has their configurations. It ends with its input.",
  positionals: { min: 0, max: 0 },
  flags: {},
  footer:
    'The credential is SERVICE_TOKEN_FILE or SERVICE_API_KEY inside a run, else COMMONPLACE_API_KEY_FILE or COMMONPLACE_API_KEY. Files are read again for every request. COMMONPLACE_URL is the gateway.',
  run: async () => {
    const access = await readOrRefuse();
    await runMcp({ input: process.stdin, output: process.stdout, access });
    return 0;
  },
});

/** A missing or mistyped variable is reported at start: to the client too, which hides standard error. */
const readOrRefuse = async (): Promise<Access> => {
  try {
    const access = readMcpAccess();
    access.credential();
    return access;
  } catch (error) {
    if (error instanceof ConfigError && !process.stdin.isTTY) {
      const failure = invalidConfiguration(error.problems);
      await refuseRequests({ input: process.stdin, output: process.stdout, failure });
    }
    throw error;
  }
};
