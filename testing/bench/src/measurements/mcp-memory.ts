import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad, type LoadRequest } from '../load/run-load.ts';
import type { Bench, Row } from '../measurement.ts';
import { memoryOf } from '../system/proc.ts';

const clients = 8;

type Sessions = {
  /** The same reads over REST. They fill the young generation of V8, so that what any load makes it hold does not count. */
  readonly rest: readonly LoadRequest[];
  readonly mcp: readonly LoadRequest[];
};

/** Memory that the first session of several MCP clients adds to the notes service, which loads the SDK for it. */
export const mcpMemory = async (
  { product, profile }: Bench,
  { rest, mcp }: Sessions,
): Promise<Row> => {
  const { pid = 0 } = product.services['notes'] ?? {};
  const settled = async () => {
    await sleep(profile.settleSeconds * 1000);
    return memoryOf(pid, { withChildren: false });
  };
  const load = { requests: rest, connections: clients, seconds: profile.seconds };
  await runLoad({ url: product.url, ...load });
  const before = await settled();
  await Promise.all(Array.from({ length: clients }, () => send(product.url, mcp)));
  const after = await settled();
  return {
    name: `memory (PSS) that the first MCP session of ${clients} clients adds to the notes service`,
    unit: 'MB',
    value: after - before,
    baseline: null,
    target: { of: 'value', is: 'at most', bound: 15 },
    note: `${before} MB after the same reads over REST for ${profile.seconds} s, ${after} MB after the session`,
  };
};

/** Sends requests one after another. */
const send = async (url: string, requests: readonly LoadRequest[]): Promise<void> => {
  for (const { method, path, headers, body } of requests) {
    const init = { method, headers, body: body ?? null };
    const response = await fetch(new URL(path, url), init);
    await response.text();
    if (!response.ok) {
      throw new Error(`${path} responded with ${response.status}`);
    }
  }
};
