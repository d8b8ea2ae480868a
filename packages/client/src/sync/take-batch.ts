import type { Schema } from '../api-client.ts';
import { launchDraft } from './edit-note.ts';
import type { LocalNote, Mutation, Outstanding } from './local-note.ts';
import { listToSend, type Replica } from './replica.ts';

/** What one request may hold; the server's own limits are a little above. */
export type BatchLimits = { readonly changes: number; readonly bytes: number };

/** Of a request that is answered at once: 500 changes and 8 MiB are the limits of the API. */
export const foregroundLimits: BatchLimits = { changes: 500, bytes: 6 * 1024 * 1024 };

/** Of a background job: 10,000 changes and 32 MiB. */
export const backgroundLimits: BatchLimits = { changes: 10_000, bytes: 28 * 1024 * 1024 };

const utf8 = new TextEncoder();

/** The changes of one request. */
export type Batch = readonly Schema<'SyncChange'>[];

/**
 * Chooses what is sent next, and turns drafts into changes that stay as they are until they are
 * answered. The caller makes that durable before it sends: a change whose answer is lost is then sent
 * again under the same name, and applied once.
 */
export const takeBatch = (replica: Replica, limits: BatchLimits): Batch => {
  const batch: Schema<'SyncChange'>[] = [];
  let bytes = 0;
  for (const note of listToSend(replica)) {
    const launched = launchDraft(note, crypto.randomUUID());
    const changes = changesOf(launched);
    const size = utf8.encode(JSON.stringify(changes)).length;
    const isFirst = batch.length === 0;
    if (
      !isFirst &&
      (batch.length + changes.length > limits.changes || bytes + size > limits.bytes)
    ) {
      break;
    }
    batch.push(...changes);
    bytes += size;
    if (launched !== note) {
      replica.setNote(launched);
    }
  }
  return batch;
};

const changesOf = ({ id, outstanding }: LocalNote): Schema<'SyncChange'>[] => {
  if (!outstanding) {
    return [];
  }
  const { mutation, follows }: Outstanding = outstanding;
  return [...(follows ? [changeOf(id, follows)] : []), changeOf(id, mutation)];
};

const changeOf = (id: string, { mutationId, baseRevision, text }: Mutation): Schema<'SyncChange'> =>
  text === null
    ? { mutationId, id, op: 'delete', baseRevision }
    : { mutationId, id, op: 'put', baseRevision, note: wireText(text) };

/** The generated types know no readonly arrays. */
const wireText = (text: NonNullable<Mutation['text']>): Schema<'NoteInput'> => ({
  ...text,
  tags: [...text.tags],
  properties: { ...text.properties },
});
