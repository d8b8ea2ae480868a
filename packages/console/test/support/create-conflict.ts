import { randomUUID } from 'node:crypto';
import type { Api } from '@commonplace/e2e';
import { must } from '../../tools/must.ts';

type Conflict = { readonly id: string; readonly copyId: string };

/** Creates a note with the first content, and two edits of it, of which the second becomes a conflict copy. */
export const createConflict = async (
  agent: Api,
  title: string,
  [first = '', second = '', third = '']: readonly string[],
): Promise<Conflict> => {
  const id = randomUUID();
  await must(agent, `PUT /api/notes/${id}`, { title, content: first });
  await must(agent, `PUT /api/notes/${id}`, { title, content: second });
  const note = { title, content: third };
  const change = { mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note };
  await must(agent, 'POST /api/sync', { clientId: 'console-test', changes: [change] });
  const { items } = (await must(agent, `GET /api/notes/${id}/conflicts`)) as {
    readonly items: readonly { readonly id: string }[];
  };
  return { id, copyId: items[0]?.id ?? '' };
};
