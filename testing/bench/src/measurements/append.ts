import { randomUUID } from 'node:crypto';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { noteOf } from '../system/texts.ts';

const connections = 32;

/** A journal is closed after so many lines of 80 bytes, and all clients go on in the next one. */
const journal = { lines: 500, perRound: 100 } as const;
const line = `- {{n}}: ${'an agent says what it did, and why, '.repeat(2)}`.slice(0, 80);

/**
 * Concurrent appends to one note, beside writes of new notes into one company. All clients append to the same
 * note, which has 20 KB on average.
 */
export const append: Measurement = {
  name: 'append',
  measure: async ({ product, environment, profile }) => {
    const company = await environment.makeCompany('Hot note');
    const headers = {
      ...bearer(company.key),
      'content-type': 'application/json',
      prefer: 'return=minimal',
    };
    const api = retryingApi({ baseUrl: product.url, headers });
    const newJournals = async (): Promise<readonly string[]> => {
      const ids = Array.from({ length: journal.perRound }, () => randomUUID());
      for (const id of ids) {
        await api('PUT', `/api/notes/${id}`, { body: { title: 'Journal', content: '' } });
      }
      return ids;
    };
    const rateOf = async (request: Omit<LoadRequest, 'headers'>): Promise<number> => {
      const requests = [{ ...request, headers }];
      const load = { url: product.url, requests, connections, seconds: profile.seconds };
      return (await runLoad(load)).perSecond;
    };
    const variants = {
      ours: async () =>
        rateOf({
          method: 'PATCH',
          path: '/api/notes/{{value}}',
          body: JSON.stringify({ edits: [{ op: 'append', text: `${line}\n` }] }),
          rotation: { values: await newJournals(), requests: journal.lines },
        }),
      baseline: () =>
        rateOf({
          method: 'PUT',
          path: '/api/notes/{{id}}',
          body: JSON.stringify(noteOf('put {{n}}')),
        }),
    };
    await interleave(profile.warmUpRounds, variants);
    const figures = await interleave(profile.rounds, variants);
    return [
      {
        name: 'appends to one hot note, beside PUTs into one company',
        unit: 'requests/s',
        ...compare(figures.ours, figures.baseline),
        target: { of: 'ratio', is: 'at least', bound: 0.8 },
        note: `lines of 80 bytes and minimal responses; after ${journal.lines} lines all clients go on in a new note`,
      },
    ];
  },
};
