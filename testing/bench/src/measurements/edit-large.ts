import { randomUUID } from 'node:crypto';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import type { Measurement, Row } from '../measurement.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { largeText } from '../system/texts.ts';

/** Some bytes below the limit of a note. */
const textBytes = 511 * 1024;
const states = ['State: first', 'State: other'] as const;
const contentOf = (state: string): string =>
  `# Status\n\n${state}\n\n# Text\n\n${largeText(textBytes)}`;

const secondsMin = 1;

/** The edit thread starts with its first edit. */
const warmUpRounds = 1;
/** An edit takes as long as forty reads, and the same each time. */
const roundsMax = 3;

/** Two bodies that alternate, so that each one changes the note. */
type Bodies = readonly [object, object];

const bodies: Readonly<Record<'put' | 'replace' | 'section', Bodies>> = {
  put: [
    { title: 'Large', content: contentOf(states[1]) },
    { title: 'Large', content: contentOf(states[0]) },
  ],
  replace: [
    { edits: [{ op: 'replace', find: states[0], with: states[1] }] },
    { edits: [{ op: 'replace', find: states[1], with: states[0] }] },
  ],
  section: [
    { edits: [{ op: 'replace_section', heading: 'Status', text: `${states[1]}\n\n` }] },
    { edits: [{ op: 'replace_section', heading: 'Status', text: `${states[0]}\n\n` }] },
  ],
};

/** Edits of a note of 512 KiB by one client, beside writes of the whole note. */
export const editLarge: Measurement = {
  name: 'edit',
  measure: async ({ product, environment, profile }) => {
    const company = await environment.makeCompany('Large note');
    const headers = { ...bearer(company.key), 'content-type': 'application/json' };
    const api = retryingApi({ baseUrl: product.url, headers });
    const latencyOf = (method: LoadRequest['method'], alternating: Bodies) => async () => {
      const path = `/api/notes/${randomUUID()}`;
      await api('PUT', path, { body: { title: 'Large', content: contentOf(states[0]) } });
      const requests = alternating.map((body) => ({
        method,
        path,
        headers,
        body: JSON.stringify(body),
      }));
      const load = { url: product.url, requests, connections: 1, isCycled: true };
      return (
        1_000 /
        (await runLoad({ ...load, seconds: Math.max(secondsMin, profile.seconds / 2) })).perSecond
      );
    };
    const variants = {
      replace: latencyOf('PATCH', bodies.replace),
      section: latencyOf('PATCH', bodies.section),
      put: latencyOf('PUT', bodies.put),
    };
    await interleave(warmUpRounds, variants);
    const figures = await interleave(Math.min(profile.rounds, roundsMax), variants);
    const row = (name: string, ours: readonly number[]): Row => ({
      name: `${name} in a note of 512 KiB, beside a PUT of it`,
      unit: 'ms',
      ...compare(ours, figures.put),
      target: { of: 'ratio', is: 'at most', bound: 1.5 },
    });
    return [row('replacing a text', figures.replace), row('replacing a section', figures.section)];
  },
};
