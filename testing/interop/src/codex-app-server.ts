import type { Host } from './connecting-hosts.ts';

/** The protocol that editors speak with Codex: JSON-RPC in lines. */
export type CodexAppServer = {
  readonly call: (method: string, params: object) => Promise<unknown>;
  readonly stop: () => Promise<void>;
};

type Reply = { readonly id?: number; readonly result?: unknown; readonly error?: unknown };

/** Starts Codex for an editor, in which servers can be called without a model. */
export const startCodexAppServer = async (codex: Host): Promise<CodexAppServer> => {
  const running = codex.start('app-server');
  let sent = 0;
  const call: CodexAppServer['call'] = async (method, params) => {
    sent += 1;
    running.write(`${JSON.stringify({ jsonrpc: '2.0', id: sent, method, params })}\n`);
    const [line] = await running.printed(new RegExp(`^\\{"id":${sent},.*\\}$`, 'm'));
    const { result, error } = JSON.parse(line) as Reply;
    if (error !== undefined) {
      throw new Error(`${method} returned ${JSON.stringify(error)}`);
    }
    return result;
  };
  await call('initialize', { clientInfo: { name: 'test', title: 'Test', version: '1' } });
  running.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'initialized' })}\n`);
  return { call, stop: running.stop };
};
