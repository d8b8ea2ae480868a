import type { CompanyId } from '@commonplace/contracts/core';
import type { Author, OnConflict, SyncChange } from '@commonplace/contracts/notes';
import type { Db } from '@commonplace/db';
import { newMergeBudget, noMergeBudget } from '../merge/create-merger.ts';
import type { SyncCursor } from '../rules/sync-cursor.ts';
import type { FeedRow } from '../queries/feed.ts';
import type { EarlierChange } from '../write/change.ts';
import type { WriteNotes } from '../write/note-writer.ts';
import { priorChanges } from './prior-changes.ts';
import { pushParts } from './push-parts.ts';
import { pageBytesMax } from './pull-changes.ts';
import { includesNote, type PriorPush, type PushedChange } from './build-results.ts';
import { parsePut } from '../write/parse-put.ts';

export type Push = {
  readonly companyId: CompanyId;
  readonly author: Author;
  readonly clientId: string;
  readonly onConflict: OnConflict;
  readonly changes: readonly SyncChange[];
  /** Of a request that is pushed in several parts: what later changes may follow. */
  readonly earlier?: readonly PriorPush[];
  /** Where the client stands: 410, and nothing is applied, where that is of no use any more. */
  readonly cursor?: SyncCursor | null;
  /** Throws when its sender may no longer write; asked of a part that has waited. */
  readonly stillAllowed?: () => Promise<void>;
};

/** What a push did; the feed is as it left it, null where it had no changes. */
export type PushResult = {
  readonly pushed: readonly PushedChange[];
  readonly feed: FeedRow | null;
};

/**
 * Applies changes of a client in their order; one outcome for each. A note is looked into when its change
 * is decided, while PostgreSQL writes the ones before it. Where much stored text has to be merged, the changes
 * are written in several parts: others of the company write between them, and memory holds one part.
 */
export const pushChanges = async (
  { db, write }: { readonly db: Db; readonly write: WriteNotes },
  push: Push,
): Promise<PushResult> => {
  const pushed: PushedChange[] = [];
  let feed: FeedRow | null = null;
  let keptBytes = 0;
  const mergeBudget = newMergeBudget();
  const sent = push.changes.map((change) => submitted(push, change));
  for (const part of await pushParts(db, push.companyId, sent)) {
    const { author, cursor = null } = push;
    const isFirst = part.start === 0;
    const parts = push.changes.slice(part.start, part.end);
    const before = priorChanges(
      parts,
      push.changes,
      pushed.map(({ outcome }) => outcome),
    );
    const submission = {
      author,
      ...(push.stillAllowed ? { stillAllowed: push.stillAllowed } : {}),
      // Once the first part is written the rest belongs to it, whatever becomes of the cursor.
      cursor: isFirst ? cursor : null,
      changes: sent.slice(part.start, part.end),
      mergeBudget: part.isMerged ? mergeBudget : noMergeBudget,
      earlier: readEarlier(push, [...(push.earlier ?? []), ...before]),
    };
    const written = await write(push.companyId, submission);
    ({ feed } = written);
    for (const [index, change] of parts.entries()) {
      const outcome = written.outcomes[index];
      if (!outcome) {
        throw new Error('A change was written without an outcome');
      }
      const kept = withoutLarge({ change, outcome }, keptBytes);
      keptBytes += kept.outcome.note?.content?.length ?? 0;
      pushed.push(kept);
    }
  }
  return { pushed, feed };
};

/** Content that is longer than this is let go of, where no response will show it. */
const smallLength = 16 * 1024;

/** A response shows so much of notes, and no more: the rest comes through `changes`. */
const withoutLarge = (pushed: PushedChange, keptBytes: number): PushedChange => {
  const { outcome } = pushed;
  const { note } = outcome;
  const length = note?.content?.length ?? 0;
  const isShown = keptBytes + length <= pageBytesMax && includesNote(pushed);
  return note === null || length <= smallLength || isShown
    ? pushed
    : { ...pushed, outcome: { ...outcome, note: { ...note, content: null } } };
};

const readEarlier = (push: Push, earlier: readonly PriorPush[]): EarlierChange[] =>
  earlier.flatMap(({ change, outcome }) => {
    const sent = submitted(push, change);
    const reading = sent.rule === 'unparsed_put' ? parsePut(sent) : sent;
    return 'rule' in reading ? [{ change: reading, outcome }] : [];
  });

const submitted = (
  { author, clientId, onConflict }: Push,
  { id, baseRevision, mutationId, ...change }: SyncChange,
) => {
  const mutation = { caller: `${author.kind}:${author.id}`, clientId, mutationId };
  return change.op === 'delete'
    ? ({ rule: 'sync_delete', id, baseRevision, mutation } as const)
    : ({
        rule: 'unparsed_put',
        id,
        note: change.note,
        baseRevision,
        onConflict,
        mutation,
      } as const);
};
