import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { runLoad, type LoadRequest } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { noteOf } from '../system/texts.ts';

const connections = 32;

/** The measurement before has warmed up the write path. */
const warmUpRounds = 2;

/** Concurrent reports of one run, beside writes of new notes into the same company. */
export const usage: Measurement = {
  name: 'usage',
  measure: async ({ product, environment, profile }) => {
    const company = await environment.makeCompany('Spending');
    const headers = { ...bearer(company.key), 'content-type': 'application/json' };
    const rateOf = async (request: Omit<LoadRequest, 'headers'>): Promise<number> => {
      const requests = [{ ...request, headers }];
      const load = { url: product.url, requests, connections, seconds: profile.seconds };
      return (await runLoad(load)).perSecond;
    };
    const report = { mutationId: '{{id}}', costCents: 1, inputTokens: 900, outputTokens: 40 };
    const variants = {
      ours: () =>
        rateOf({
          method: 'POST',
          path: `/api/runs/${company.runId}/usage`,
          body: JSON.stringify({ ...report, model: 'large' }),
        }),
      baseline: () =>
        rateOf({
          method: 'PUT',
          path: '/api/notes/{{id}}',
          body: JSON.stringify(noteOf('put {{n}}')),
        }),
    };
    await interleave(warmUpRounds, variants);
    const figures = await interleave(profile.rounds, variants);
    return [
      {
        name: 'reports of usage of one run, beside PUTs into the same company',
        unit: 'requests/s',
        ...compare(figures.ours, figures.baseline),
        target: { of: 'ratio', is: 'at least', bound: 0.8 },
      },
    ];
  },
};
