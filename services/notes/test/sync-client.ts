import type { SyncRequestInput, SyncResult } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { aNoteId, type NotesWorld } from './notes-world.ts';

type ChangeInput = NonNullable<SyncRequestInput['changes']>[number];

type PutInput = Extract<ChangeInput, { op: 'put' }>;

let mutations = 0;

/** A mutation id that no other change has. */
export const nextMutation = (): string => `m${(mutations += 1)}`;

/** A put of a note, with a fresh mutation id unless one is given. */
export const putOf = (
  note: unknown,
  overrides: { id?: string; baseRevision?: number | null; mutationId?: string } = {},
): PutInput => ({ mutationId: nextMutation(), id: aNoteId(), op: 'put', note, ...overrides });

export const deleteOf = (id: string, baseRevision: number | null): ChangeInput => ({
  mutationId: nextMutation(),
  id,
  op: 'delete',
  baseRevision,
});

/** A caller with a client of its own, that synchronises with one instance of a world. */
export const syncClient = (world: NotesWorld, caller: Caller, clientId = 'test') => {
  const post = (body: SyncRequestInput, instance = 0) =>
    world
      .as(caller, instance)
      .post('/api/sync')
      .send({ clientId, ...body });
  const sync: SyncClient['sync'] = async (body, instance = 0) => {
    const response = await post(body, instance);
    if (response.status !== 200) {
      throw new Error(`${response.status} ${response.text}`);
    }
    return response.body as SyncResult;
  };
  return {
    post,
    sync,
    push: (...changes) => sync({ changes }),
    pullAll: async (cursor = null, limit = 500) => {
      const changes: SyncResult['changes'] = [];
      for (let at = cursor; ;) {
        const page: SyncResult = await sync({ cursor: at, limit });
        changes.push(...page.changes);
        at = page.cursor;
        if (!page.hasMore) {
          return { ...page, changes };
        }
      }
    },
  };
};
