import { setTimeout as sleep } from 'node:timers/promises';
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

export type SyncClient = {
  /** Sends a request as it is. */
  readonly post: (body: SyncRequestInput, instance?: number) => SyncResponse;
  /** Sends a request that must be good. */
  readonly sync: (body: SyncRequestInput, instance?: number) => Promise<SyncResult>;
  readonly push: (...changes: ChangeInput[]) => Promise<SyncResult>;
  /** Pulls to the end, page by page. */
  readonly pullAll: (
    cursor?: string | null,
    limit?: number,
  ) => Promise<Pick<SyncResult, 'changes' | 'cursor' | 'integrity'>>;
};

type SyncResponse = ReturnType<ReturnType<NotesWorld['as']>['post']>;

/** On a busy machine the service may refuse a request (503). Clients send it again: its changes have ids. */
const attemptsMax = 5;

/** A caller with a client of its own, that synchronises with the instances of a world. */
export const syncClient = (
  world: Pick<NotesWorld, 'as'>,
  caller: Caller,
  clientId = 'test',
): SyncClient => {
  const post: SyncClient['post'] = (body, instance = 0) =>
    world
      .as(caller, instance)
      .post('/api/sync')
      .send({ clientId, ...body });
  const sync: SyncClient['sync'] = async (body, instance = 0) => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, body: result, text } = await post(body, instance);
      if (status === 200) {
        return result as SyncResult;
      }
      if (status !== 503 || attempt === attemptsMax) {
        throw new Error(`${status} ${text}`);
      }
      await sleep(1_000);
    }
  };
  return {
    post,
    sync,
    push: (...changes) => sync({ changes }),
    pullAll: async (cursor = null, limit = 500) => {
      const changes: SyncResult['changes'] = [];
      for (let at: string | null = cursor; ;) {
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
