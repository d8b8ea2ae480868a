import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { toolCall } from '../load/mcp-request.ts';
import type { LoadRequest } from '../load/run-load.ts';
import type { Bench } from '../measurement.ts';
import { syncCursorOf } from '../system/sync-cursor.ts';
import { creatingChange, noteOf } from '../system/texts.ts';

/** What 32 clients repeat, in these companies. */
export type Operation = {
  readonly name: string;
  readonly companies: readonly CompanyWorld[];
  readonly requests: readonly LoadRequest[];
};

const many = 32;
const json = { 'content-type': 'application/json' } as const;

/** A read over REST and over MCP, a PUT, a push of one note, and PUTs that cannot share transactions. */
export const operationsOf = async ({
  product,
  environment,
}: Bench): Promise<readonly Operation[]> => {
  const { company, notePaths } = environment;
  const cursor = await syncCursorOf(product, company);
  const others = await Promise.all(
    Array.from({ length: many }, (_, index) => environment.makeCompany(`Stage ${index}`)),
  );
  return [
    {
      name: 'read',
      companies: [company],
      requests: notePaths.map((path) => ({ method: 'GET', path, headers: bearer(company.key) })),
    },
    {
      name: 'read_note over MCP',
      companies: [company],
      requests: notePaths.map((path) =>
        toolCall(bearer(company.key), 'read_note', { id: path.split('/').at(-1) }),
      ),
    },
    { name: 'PUT', companies: [company], requests: [putIn(company)] },
    {
      name: 'push of one note',
      companies: [company],
      requests: [
        {
          method: 'POST',
          path: '/api/sync',
          headers: { ...json, ...bearer(company.key) },
          body: JSON.stringify({ clientId: 'bench', cursor, limit: 1, changes: [creatingChange] }),
        },
      ],
    },
    { name: `PUT, ${many} companies`, companies: others, requests: others.map(putIn) },
  ];
};

const putIn = ({ key }: CompanyWorld): LoadRequest => ({
  method: 'PUT',
  path: '/api/notes/{{id}}',
  headers: { ...json, ...bearer(key) },
  body: JSON.stringify(noteOf('put {{n}}')),
});
