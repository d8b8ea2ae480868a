import { randomUUID } from 'node:crypto';
import { bearer, type Api } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import type { Measurement, Row } from '../measurement.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { noteOf } from '../system/texts.ts';

const connections = 32;

/**
 * A journal is closed after so many lines of 80 bytes, and all clients go on in the next one. Every append writes the
 * whole note, so it costs in proportion to that.
 */
const journals = { short: 100, long: 500 } as const;
const journalsARound = 250;
const line = `- {{n}}: ${'an agent says what it did, and why, '.repeat(2)}`.slice(0, 80);

/** The measurement before has warmed up the write path. */
const warmUpRounds = 2;

/**
 * Concurrent appends to one note, beside writes of new notes into one company. All clients append to the same note,
 * which has 4 KB on average, or 20 KB.
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
    const rateOf = async (request: Omit<LoadRequest, 'headers'>): Promise<number> => {
      const requests = [{ ...request, headers }];
      const load = { url: product.url, requests, connections, seconds: profile.seconds };
      return (await runLoad(load)).perSecond;
    };
    const appendTo = (lines: number) => async () =>
      rateOf({
        method: 'PATCH',
        path: '/api/notes/{{value}}',
        body: JSON.stringify({ edits: [{ op: 'append', text: `${line}\n` }] }),
        rotation: { values: await newJournals(api), requests: lines },
      });
    const variants = {
      short: appendTo(journals.short),
      long: appendTo(journals.long),
      put: () =>
        rateOf({
          method: 'PUT',
          path: '/api/notes/{{id}}',
          body: JSON.stringify(noteOf('put {{n}}')),
        }),
    };
    await interleave(warmUpRounds, variants);
    const figures = await interleave(profile.rounds, variants);
    const row = (name: keyof typeof journals, bound: number): Row => ({
      name: `appends to one hot note of at most ${journals[name]} lines, beside PUTs into one company`,
      unit: 'requests/s',
      ...compare(figures[name], figures.put),
      target: { of: 'ratio', is: 'at least', bound },
    });
    return [row('short', 0.95), row('long', 0.9)];
  },
};

/** Creates the journals of a round; returns their ids. */
const newJournals = async (api: Api): Promise<readonly string[]> => {
  const changes = Array.from({ length: journalsARound }, () => {
    const id = randomUUID();
    return { mutationId: id, id, op: 'put', baseRevision: null, note: { title: 'Journal' } };
  });
  const body = { clientId: 'append', pull: 'none', changes };
  const { status } = await api('POST', '/api/sync', { body });
  if (status !== 200) {
    throw new Error(`The journals were not created: ${status}`);
  }
  return changes.map(({ id }) => id);
};
