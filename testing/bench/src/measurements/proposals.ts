import { randomUUID } from 'node:crypto';
import { bearer, type Api } from '@commonplace/e2e';
import { median } from '../median.ts';
import type { Measurement } from '../measurement.ts';
import { compare, interleave } from '../interleave.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { noteOf } from '../system/texts.ts';

/** An agent may have 100 open proposals. */
const proposalsEach = 80;

/** Proposals that an operator accepts one after the other, beside PUTs of the same operator. */
export const proposals: Measurement = {
  name: 'proposals',
  measure: async ({ product, environment, profile }) => {
    const { companyId, agentId, key } = await environment.makeCompany('Proposed');
    const board = retryingApi({ baseUrl: product.url, headers: { 'x-company-id': companyId } });
    const agent = retryingApi({ baseUrl: product.url, headers: bearer(key) });
    const body = { grants: [{ folder: '', scope: 'any', mode: 'propose' }], ttlSeconds: 3600 };
    const run = (await board('POST', `/api/agents/${agentId}/runs`, { body })).body;
    const { token } = run as { readonly token: string };
    const proposer = retryingApi({ baseUrl: product.url, headers: bearer(token) });
    const ids = Array.from({ length: proposalsEach }, () => randomUUID());
    for (const id of ids) {
      await agent('PUT', `/api/notes/${id}`, { body: noteOf('a note that is changed') });
    }
    const propose = async (): Promise<string[]> => {
      const proposed: string[] = [];
      const note = noteOf(`proposed ${randomUUID()}`);
      for (const id of ids) {
        const made = await proposer('PUT', `/api/notes/${id}`, { body: note });
        proposed.push((made.body as { readonly proposal: { readonly id: string } }).proposal.id);
      }
      return proposed;
    };
    const variants = {
      accept: async () =>
        medianMs(await propose(), (id) =>
          board('POST', `/api/notes/proposals/${id}/accept`, { body: {} }),
        ),
      put: () => {
        const note = noteOf(`written ${randomUUID()}`);
        return medianMs(ids, (id) => board('PUT', `/api/notes/${id}`, { body: note }));
      },
    };
    await interleave(profile.warmUpRounds, variants);
    const figures = await interleave(profile.rounds, variants);
    return [
      {
        name: 'accepting a proposal for a note of 1 KB, beside a PUT of it',
        unit: 'ms',
        ...compare(figures.accept, figures.put),
        target: { of: 'ratio', is: 'at most', bound: 1.2 },
      },
    ];
  },
};

/** The median duration of requests that are sent one after the other. */
const medianMs = async (
  ids: readonly string[],
  send: (id: string) => ReturnType<Api>,
): Promise<number> => {
  const times: number[] = [];
  for (const id of ids) {
    const startedAt = performance.now();
    const { status } = await send(id);
    times.push(performance.now() - startedAt);
    if (status !== 200) {
      throw new Error(`A write returned ${status}`);
    }
  }
  return median(times);
};
