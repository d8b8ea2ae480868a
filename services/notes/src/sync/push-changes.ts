import type { HeldGrants, Reach } from '@commonplace/contracts/core';
import type { Author, OnConflict, SyncChange } from '@commonplace/contracts/notes';
import type { Db } from '@commonplace/db';
import { newMergeBudget, noMergeBudget } from '../merge/create-merger.ts';
import { callerKey } from '../rules/mutation-key.ts';
import type { SyncCursor } from '../rules/sync-cursor.ts';
import type { FeedRow } from '../queries/feed.ts';
import { pageBytesMax } from '../queries/note-rows.ts';
import type { PriorChange } from '../write/change.ts';
import type { WriteNotes } from '../write/note-writer.ts';
import { priorChanges } from './prior-changes.ts';
import { pushParts } from './push-parts.ts';
import { includesNote, type PriorPush, type PushedChange } from './build-results.ts';
import { parsePut } from '../write/parse-put.ts';

export type Push = {
  readonly reach: Reach;
  /** What the caller may change; absent or null: everything. */
  readonly grants?: HeldGrants;
  readonly author: Author;
  /** Whether the client knows the status `proposed`; absent: it does not. */
  readonly proposals?: boolean;
  readonly clientId: string;
  readonly onConflict: OnConflict;
  readonly changes: readonly SyncChange[];
  /** Changes pushed by earlier parts of the request, which these may build on. */
  readonly priorChanges?: readonly PriorPush[];
  /** The cursor of the client. If it has expired, fails with 410 and applies nothing. */
  readonly cursor?: SyncCursor | null;
  /** Throws when the caller may no longer write. Called for a part that waited in the queue. */
  readonly recheck?: () => Promise<void>;
};

/** The outcomes of a push, and the feed after it; null: there were no changes. */
export type PushResult = {
  readonly pushed: readonly PushedChange[];
  readonly feed: FeedRow | null;
};

/**
 * Applies changes of a client in order; returns one outcome per change. Each note is validated when its change
 * is decided, while PostgreSQL writes the ones before. If much stored text has to be merged, the changes are
 * written in several parts: other writes of the company run in between, and memory holds one part.
 */
export const pushChanges = async (
  { db, writeNotes }: { readonly db: Db; readonly writeNotes: WriteNotes },
  push: Push,
): Promise<PushResult> => {
  const pushed: PushedChange[] = [];
  let feed: FeedRow | null = null;
  let keptBytes = 0;
  const mergeBudget = newMergeBudget();
  const sent = push.changes.map((change) => submitted(push, change));
  for (const part of await pushParts(db, push.reach.companyId, sent)) {
    const { author, cursor = null, grants = null } = push;
    const isFirst = part.start === 0;
    const changesOfPart = push.changes.slice(part.start, part.end);
    const before = priorChanges(
      changesOfPart,
      push.changes,
      pushed.map(({ outcome }) => outcome),
    );
    const request = {
      author,
      grants,
      knowsProposals: push.proposals === true,
      ...(push.recheck ? { recheck: push.recheck } : {}),
      // Once the first part is written, the rest is written too, even if the cursor expires.
      cursor: isFirst ? cursor : null,
      changes: sent.slice(part.start, part.end),
      mergeBudget: part.isMerged ? mergeBudget : noMergeBudget,
      priorChanges: parsePrior(push, [...(push.priorChanges ?? []), ...before]),
    };
    const written = await writeNotes(push.reach.companyId, request);
    ({ feed } = written);
    for (const [index, change] of changesOfPart.entries()) {
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

/** Longer content is released early if no response will include it. */
const smallLength = 16 * 1024;

/** Releases content that exceeds the size of a response: those notes come through `changes`. */
const withoutLarge = (pushed: PushedChange, keptBytes: number): PushedChange => {
  const { outcome } = pushed;
  const { note } = outcome;
  const length = note?.content?.length ?? 0;
  const isIncluded = keptBytes + length <= pageBytesMax && includesNote(pushed);
  return note === null || length <= smallLength || isIncluded
    ? pushed
    : { ...pushed, outcome: { ...outcome, note: { ...note, content: null } } };
};

const parsePrior = (push: Push, prior: readonly PriorPush[]): PriorChange[] =>
  prior.flatMap(({ change, outcome }) => {
    const sent = submitted(push, change);
    const parsed = sent.rule === 'unparsed_put' ? parsePut(sent) : sent;
    return 'rule' in parsed ? [{ change: parsed, outcome }] : [];
  });

const submitted = (
  { author, clientId, onConflict }: Push,
  { id, baseRevision, mutationId, ...change }: SyncChange,
) => {
  const mutation = { caller: callerKey(author), clientId, mutationId };
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
