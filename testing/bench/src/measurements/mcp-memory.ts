import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadRequest } from '../load/run-load.ts';
import type { Bench, Row } from '../measurement.ts';
import { memoryOf } from '../system/proc.ts';

const clients = 8;

/** Memory that the first session of several MCP clients adds to the notes service, which loads the SDK for it. */
export const mcpMemory = async (
  { product, profile }: Bench,
  session: readonly LoadRequest[],
): Promise<Row> => {
  const { pid = 0 } = product.services['notes'] ?? {};
  const settled = async () => {
    await sleep(profile.settleSeconds * 1000);
    return memoryOf(pid, { withChildren: false });
  };
  const before = await settled();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const { method, path, headers, body } of session) {
        const init = { method, headers, body: body ?? null };
        const response = await fetch(new URL(path, product.url), init);
        await response.text();
        if (!response.ok) {
          throw new Error(`MCP responded with ${response.status}`);
        }
      }
    }),
  );
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
