import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, type Api } from '@commonplace/e2e';
import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { linkedCompany, linkedTitle, linking } from '../system/linked-company.ts';
import { longestWrite } from '../system/longest-write.ts';

const titles = [linkedTitle, 'Road map'] as const;
const quietMs = 1_500;
/** A round takes five seconds, most of them pauses. */
const roundsWhenQuick = 3;

/**
 * Renames of a note whose title 100,000 notes link to, while another client writes into the same company: the
 * longest of its writes until the links are resolved again.
 */
export const rename: Measurement = {
  name: 'rename',
  measure: async (bench) => {
    const { product, profile } = bench;
    const company = await linkedCompany(bench);
    const api = retryingApi({ baseUrl: product.url, headers: bearer(company.key) });
    const writes = { url: product.url, key: company.key };
    await longestWrite(writes, () => sleep(quietMs));
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < (profile.isQuick ? roundsWhenQuick : profile.rounds); round += 1) {
      alone.push(await longestWrite(writes, () => sleep(quietMs)));
      beside.push(
        await longestWrite(writes, async () => {
          await renameTo(api, company.linkedId, titles[1]);
          await renameTo(api, company.linkedId, titles[0]);
        }),
      );
    }
    return [
      {
        name: `longest write while a title with ${linking} links is renamed, and without`,
        unit: 'ms',
        value: Math.max(...beside),
        baseline: Math.max(...alone),
        target: { of: 'value', is: 'at most', bound: 50 },
        note: `median of the longest of each round: ${median(beside).toFixed(1)} ms`,
      },
    ];
  },
};

/** Renames a note, reads who links to it, and waits until the indexer has seen a pause. */
const renameTo = async (api: Api, id: string, title: string): Promise<void> => {
  await api('PATCH', `/api/notes/${id}`, { body: { edits: [{ op: 'set', title }] } });
  const { body } = await api('GET', `/api/notes/${id}/links`);
  const { backlinks, isComplete } = body as { backlinks: unknown[]; isComplete: boolean };
  if (!isComplete || backlinks.length > 0 !== (title === titles[0])) {
    throw new Error(`${title} has ${backlinks.length} backlinks`);
  }
  await sleep(quietMs);
};
