import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from './call-api.ts';
import type { Waiter } from './wait-for-changes.ts';

/** A request to the MCP server that does nothing. */
export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** Repeats a request to one gateway; returns the statuses with the start times of their requests. */
export const repeatRequest = (baseUrl: string, repeated: Waiter, until: AbortSignal) => {
  const { headers, path, isConnection } = repeated;
  const api = createApi({ baseUrl, headers });
  const seen: { readonly status: number; readonly atMs: number }[] = [];
  const run = async () => {
    while (!until.aborted) {
      const atMs = performance.now();
      const { status } = isConnection
        ? await api('POST', path, { body: ping })
        : await api('GET', path);
      seen.push({ status, atMs });
      await sleep(20);
    }
  };
  return { seen, done: run() };
};
