import type { CompanyId } from '@commonplace/contracts/core';
import type { Author, OnConflict, SyncChange } from '@commonplace/contracts/notes';
import type { SyncCursor } from '../policy/sync-cursor.ts';
import type { FeedRow } from '../queries/feed-row.ts';
import type { EarlierChange, Outcome } from './change.ts';
import type { WriteNotes } from './create-note-writer.ts';
import { readPut } from './read-put.ts';

export type Push = {
  readonly companyId: CompanyId;
  readonly author: Author;
  readonly clientId: string;
  readonly onConflict: OnConflict;
  readonly changes: readonly SyncChange[];
  /** Of a request that is pushed in several parts: what later changes may follow. */
  readonly earlier?: readonly EarlierPush[];
  /** Where the client stands: 410, and nothing is applied, where that is of no use any more. */
  readonly cursor?: SyncCursor | null;
};

/** A change that an earlier part pushed and that was not rejected, and what became of it. */
export type EarlierPush = {
  readonly change: SyncChange;
  readonly outcome: Pick<Outcome, 'status' | 'revision'>;
};

/** A change of a client, and what became of it. */
export type Pushed = { readonly change: SyncChange; readonly outcome: Outcome };

/** What a push did; the feed is as it left it, null where it had no changes. */
export type PushResult = { readonly pushed: readonly Pushed[]; readonly feed: FeedRow | null };

/**
 * Applies changes of a client in their order; one outcome for each. A note is looked into when its change
 * is decided, while PostgreSQL writes the ones before it.
 */
export const pushChanges = async (write: WriteNotes, push: Push): Promise<PushResult> => {
  if (push.changes.length === 0) {
    return { pushed: [], feed: null };
  }
  const changes = push.changes.map((change) => submitted(push, change));
  const { author, cursor = null } = push;
  const submission = { author, cursor, changes, earlier: readEarlier(push) };
  const { outcomes, feed } = await write(push.companyId, submission);
  const pushed = push.changes.map((change, index) => {
    const outcome = outcomes[index];
    if (!outcome) {
      throw new Error('A change was written without an outcome');
    }
    return { change, outcome };
  });
  return { pushed, feed };
};

const readEarlier = (push: Push): EarlierChange[] =>
  (push.earlier ?? []).flatMap(({ change, outcome }) => {
    const sent = submitted(push, change);
    const reading = sent.rule === 'sent_put' ? readPut(sent) : sent;
    return 'rule' in reading ? [{ change: reading, outcome }] : [];
  });

const submitted = (
  { author, clientId, onConflict }: Push,
  { id, baseRevision, mutationId, ...change }: SyncChange,
) => {
  const mutation = { caller: `${author.kind}:${author.id}`, clientId, mutationId };
  return change.op === 'delete'
    ? ({ rule: 'sync_delete', id, baseRevision, mutation } as const)
    : ({ rule: 'sent_put', id, note: change.note, baseRevision, onConflict, mutation } as const);
};
