import { hash } from 'node:crypto';
import type { CompanyId } from '@commonplace/contracts/core';
import { inIndexOrder, read, write, type CompanyTx, type Db } from '@commonplace/db';
import {
  advanceEmbeddings,
  findNewerProfile,
  leaseEmbeddings,
  listEmbeddedTexts,
  listNotesToEmbed,
  releaseEmbeddings,
  upsertEmbeddings,
  type EmbeddingLease,
  type EmbeddingProgress,
  type NoteEmbedding,
  type NoteToEmbed,
} from '../../queries/embeddings.ts';
import { findFeed } from '../../queries/feed.ts';
import { findEmbeddingState, lockEmbeddingsEnabled } from '../../queries/search-settings.ts';
import { createSearchPauses } from '../text/excerpt.ts';
import { chunkNote, embeddedLength } from './chunk-note.ts';
import type { Embed } from './create-client.ts';
import { batch, embedPassages } from './embed-texts.ts';
import { packVectors, signsOf } from './vectors.ts';

export type EmbeddingDeps = {
  readonly db: Db;
  readonly clock: () => Date;
  readonly embed: Embed;
  readonly profile: string;
  /** When this process began to embed. */
  readonly startedAt: Date;
  /** Ends a request that is under way. */
  readonly stopping: AbortSignal;
};

/**
 * Notes that are read at once, and their chunks in one part: one request, so that what a service embedded is stored before
 * the next one may fail. A longer note is a part alone.
 */
const part = { notes: batch.texts, chunksMax: batch.texts } as const;
/** Longer than a part takes with the time limits of its requests, unless many fail: then two processes may send the same. */
const leaseMs = 5 * 60_000;

/**
 * Embeds the next notes of a company that changed; true: there are more. False also of one that is switched off. Rejects
 * with a `SupersededError` where a process that started later embeds with another profile: each of the two would make again
 * what the other one had made.
 */
export const embedPart = async (deps: EmbeddingDeps, companyId: CompanyId): Promise<boolean> => {
  const { db, clock } = deps;
  const now = clock();
  const until = new Date(now.getTime() + leaseMs);
  const lease = await write(db, companyId, (tx) => takeLease(tx, { ...deps, now, until }));
  if (lease === null) {
    return false;
  }
  const embed = whileEnabled(deps, companyId);
  try {
    return await embedNext({ ...deps, embed }, companyId, lease.changeNo);
  } catch (error) {
    if (error instanceof SwitchedOffError) {
      return false;
    }
    throw error;
  } finally {
    await write(db, companyId, (tx) => releaseEmbeddings(tx, { until, now: clock() }));
  }
};

const takeLease = async (
  tx: CompanyTx,
  wanted: EmbeddingLease,
): Promise<EmbeddingProgress | null> => {
  if (!(await lockEmbeddingsEnabled(tx))) {
    return null;
  }
  const lease = await leaseEmbeddings(tx, wanted);
  const newer = lease === null ? await findNewerProfile(tx, wanted) : null;
  if (newer !== null) {
    throw new SupersededError(wanted.profile, newer);
  }
  return lease;
};

/** Another process, which started later, embeds with another profile. */
export class SupersededError extends Error {
  constructor(own: string, newer: string) {
    super(
      `A notes process that started later embeds with another configuration (${newer}) than this one (${own}), which makes no vectors until it is started again: set the same EMBEDDINGS_* for all`,
    );
    this.name = 'SupersededError';
  }
}

/** An owner switched embeddings off meanwhile. */
class SwitchedOffError extends Error {}

/** Reads the setting before each request: a part takes minutes if the service is slow, and the list of a pass longer. */
const whileEnabled =
  ({ db, embed, stopping }: EmbeddingDeps, companyId: CompanyId): Embed =>
  async (request) => {
    if (!(await read(db, companyId, findEmbeddingState)).isEnabled) {
      throw new SwitchedOffError();
    }
    return embed({ ...request, stopping });
  };

const embedNext = async (
  deps: EmbeddingDeps,
  companyId: CompanyId,
  from: number,
): Promise<boolean> => {
  const { db, profile } = deps;
  const upTo = (await read(db, companyId, findFeed))?.head ?? 0;
  const range = { after: from, upTo, limit: part.notes, charactersMax: embeddedLength };
  const notes = await read(db, inIndexOrder(companyId), (tx) => listNotesToEmbed(tx, range));
  const { embedded, seen } = await embedNotes(deps, companyId, notes);
  const hasMore = seen < notes.length || notes.length === part.notes;
  const to = hasMore ? (notes[seen - 1]?.changeNo ?? upTo) : upTo;
  return write(db, companyId, async (tx) => {
    // An owner may have switched embeddings off meanwhile: then nothing is stored.
    if (!(await lockEmbeddingsEnabled(tx))) {
      return false;
    }
    await upsertEmbeddings(tx, profile, embedded);
    await advanceEmbeddings(tx, { profile, from, to });
    return hasMore;
  });
};

type Chunked = { readonly note: NoteToEmbed; readonly chunks: string[]; readonly textHash: string };

/** The vectors of the first notes whose text changed, as many as fit in a part, and how many notes that were. */
const embedNotes = async (
  { db, embed, profile }: EmbeddingDeps,
  companyId: CompanyId,
  notes: readonly NoteToEmbed[],
): Promise<{ readonly embedded: NoteEmbedding[]; readonly seen: number }> => {
  const ids = notes.map(({ id }) => id);
  const known = new Map(
    (await read(db, companyId, (tx) => listEmbeddedTexts(tx, ids, profile))).map(
      ({ noteId, textHash }) => [noteId, textHash],
    ),
  );
  const yieldInTime = createSearchPauses();
  const changed: Chunked[] = [];
  let [count, seen] = [0, 0];
  for (const note of notes) {
    const chunks = await chunkNote(note, yieldInTime);
    const textHash = hash('sha256', chunks.join('\0'), 'base64url');
    const isKnown = known.get(note.id) === textHash;
    if (!isKnown && count > 0 && count + chunks.length > part.chunksMax) {
      break;
    }
    seen += 1;
    if (!isKnown) {
      count += chunks.length;
      changed.push({ note, chunks, textHash });
    }
  }
  const vectors = await embedPassages(
    embed,
    changed.flatMap(({ chunks }) => chunks),
  );
  let at = 0;
  const embedded = changed.map(({ note, chunks, textHash }) => {
    const own = vectors.slice(at, (at += chunks.length));
    const made = own.filter((vector) => vector !== null);
    return {
      id: note.id,
      changeNo: note.changeNo,
      textHash,
      skipped: own.length - made.length,
      vectors: packVectors(made).toString('hex'),
      signs: made.map(signsOf),
    };
  });
  return { embedded, seen };
};
