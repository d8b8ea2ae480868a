import type { Schema } from '../api-client.ts';
import { applyResults, type SyncEvent } from './apply-response.ts';
import { promoteDraft } from './edit-note.ts';
import type { LocalNote, Mutation, InFlightChange } from './local-note.ts';
import { listReadyToPush, type Replica } from './replica.ts';
import { whyUnsendable } from './why-unsendable.ts';

/** Limits of one request, slightly below those of the server. */
export type BatchLimits = { readonly changes: number; readonly bytes: number };

/** Limits of a foreground request. The API allows 500 changes and 8 MiB. */
export const foregroundLimits: BatchLimits = { changes: 500, bytes: 6 * 1024 * 1024 };

/** Limits of a background job. The API allows 10,000 changes and 32 MiB. */
export const backgroundLimits: BatchLimits = { changes: 10_000, bytes: 28 * 1024 * 1024 };

type Result = Schema<'SyncChangeResult'>;

const utf8 = new TextEncoder();

/** The changes of one request. */
export type Batch = readonly Schema<'SyncChange'>[];

/** The next changes, and what became of those that no request can bring to the server. */
export type NextBatch = { readonly batch: Batch; readonly refused: readonly SyncEvent[] };

/**
 * Selects the changes to send next, and turns their drafts into immutable changes in flight. The caller
 * commits the replica before it sends: a change whose response is lost is then resent with the same
 * mutation id, and applied once. A change that the server would refuse together with its whole request is
 * rejected here, so that it does not stop the others.
 */
export const nextBatch = (replica: Replica, limits: BatchLimits): NextBatch => {
  const batch: Schema<'SyncChange'>[] = [];
  const refused: SyncEvent[] = [];
  let bytes = 0;
  for (const note of listReadyToPush(replica)) {
    const promoted = promoteDraft(note, crypto.randomUUID());
    const changes = changesOf(promoted);
    const size = utf8.encode(JSON.stringify(changes)).length;
    const error = whyUnsendable(changes, size);
    if (error) {
      replica.setNote(promoted);
      refused.push(...applyResults(replica, changes.map(rejectedWith(error))));
      continue;
    }
    const isFirst = batch.length === 0;
    if (
      !isFirst &&
      (batch.length + changes.length > limits.changes || bytes + size > limits.bytes)
    ) {
      break;
    }
    batch.push(...changes);
    bytes += size;
    if (promoted !== note) {
      replica.setNote(promoted);
    }
  }
  return { batch, refused };
};

const rejectedWith =
  (error: NonNullable<Result['error']>) =>
  ({ id, mutationId }: Schema<'SyncChange'>): Result => ({
    id,
    mutationId,
    status: 'rejected',
    revision: null,
    error,
  });

const changesOf = ({ id, outstanding }: LocalNote): Schema<'SyncChange'>[] => {
  if (!outstanding) {
    return [];
  }
  const { mutation, follows }: InFlightChange = outstanding;
  return [...(follows ? [changeOf(id, follows)] : []), changeOf(id, mutation)];
};

const changeOf = (id: string, { mutationId, baseRevision, text }: Mutation): Schema<'SyncChange'> =>
  text === null
    ? { mutationId, id, op: 'delete', baseRevision }
    : { mutationId, id, op: 'put', baseRevision, note: wireText(text) };

/** The generated types have no readonly arrays. */
const wireText = (text: NonNullable<Mutation['text']>): Schema<'NoteInput'> => ({
  ...text,
  tags: [...text.tags],
  properties: { ...text.properties },
});
