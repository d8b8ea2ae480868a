import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadRequest } from '../load/run-load.ts';
import type { Row } from '../measurement.ts';
import { memoryOf } from '../system/proc.ts';
import type { Product } from '../system/product.ts';

const clients = 8;

type Sessions = {
  readonly settleSeconds: number;
  /** The same reads over REST, so that what any first request loads does not count. */
  readonly rest: readonly LoadRequest[];
  readonly mcp: readonly LoadRequest[];
};

/**
 * Memory that the first session of several MCP clients adds to the notes service of a product that was just started: a load
 * before it grows the heap, whose collection counts for more than the sessions.
 */
export const mcpMemory = async (
  product: Product,
  { settleSeconds, rest, mcp }: Sessions,
): Promise<Row> => {
  const { pid } = product.services.notes;
  const settled = async () => {
    await sleep(settleSeconds * 1000);
    return memoryOf(pid, { withChildren: false });
  };
  await Promise.all(Array.from({ length: clients }, () => send(product.url, rest)));
  const before = await settled();
  await Promise.all(Array.from({ length: clients }, () => send(product.url, mcp)));
  const after = await settled();
  return {
    name: `memory (PSS) that the first MCP session of ${clients} clients adds to the notes service`,
    unit: 'MB',
    value: after - before,
    baseline: null,
    target: { of: 'value', is: 'at most', bound: 15 },
    note: `${before} MB before, ${after} MB after`,
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
