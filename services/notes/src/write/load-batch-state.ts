import { newId, type NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { insertFeed, type FeedRow } from '../queries/feed.ts';
import { listMutations } from '../queries/mutations.ts';
import { hasContent, type WritableNote } from '../queries/note-rows.ts';
import {
  listIdsOfOtherCompanies,
  listNotesById,
  listPurgedNotes,
  type PurgedNote,
} from '../queries/notes.ts';
import { listUndoneRanges, type UndoneRange } from '../queries/undo-notes.ts';
import { listTitledNotes } from '../queries/titles.ts';
import { isActive } from '../rules/note-state.ts';
import { titledNotesMax } from '../rules/note-of-title.ts';
import {
  mutationOf,
  type CreateChange,
  type SubmittedChange,
  type WriteRequest,
} from './change.ts';
import type { BatchState } from './batch-state.ts';
import { loadContents } from './load-contents.ts';
import { loadProposals, readProposals } from './load-proposals.ts';
import { createMutationLog } from './mutation-log.ts';
import type { ParsePut } from './parse-put.ts';
import type { PreparedMerges } from './prepare-merges.ts';
import type { SharedTexts } from './shares-texts.ts';
import { stageNotes } from './staged-notes.ts';
import { createTitledNotes, isConditionalCreate } from './titled-notes.ts';
import { createVersionCache } from './version-cache.ts';

/** What a batch is decided from, besides what is stored. */
export type BatchInput = {
  readonly requests: readonly WriteRequest[];
  readonly changes: readonly SubmittedChange[];
  /** The distinct ids of the changed notes. */
  readonly ids: readonly NoteId[];
  /** The ids that may belong to another company. */
  readonly idsToCheck: readonly NoteId[];
  readonly prepared: PreparedMerges;
  readonly parsePut: ParsePut;
  /** An attempt before it found something changed that was read before the lock. */
  readonly isRetry: boolean;
  readonly at: Date;
  readonly sharing: SharedTexts;
  /** Takes the lock of the company, or only reads where nothing is written. */
  readonly readFeed: (tx: CompanyTx) => Promise<FeedRow | null>;
};

/** The state, the feed it belongs to, and the time of what is written. */
export type LoadedBatchState = BatchState & { readonly feed: FeedRow; readonly at: Date };

/** Reads what the changes of a batch are decided from. */
export const loadBatchState = async (
  tx: CompanyTx,
  input: BatchInput,
): Promise<LoadedBatchState> => {
  const { changes, prepared, parsePut, at, requests, sharing } = input;
  const creates = changes.filter(isConditionalCreate);
  const [{ feed, read, purged, foreignIds, stored, titled }, requested] = await Promise.all([
    readStored(tx, input, creates),
    readProposals(tx, input),
  ]);
  if (!feed) {
    await insertFeed(tx, newId());
    return loadBatchState(tx, input);
  }
  const texts = createVersionCache(prepared.texts);
  const notes = await loadContents(tx, read, { ...input, texts });
  notes.forEach((note) => {
    if (isActive(note) && hasContent(note)) {
      texts.add(note, note);
    }
  });
  const undone = await loadUndone(tx, { changes, notes, purged });
  const known = new Set(read.map(({ id }) => id));
  const isNote = (id: NoteId) => known.has(id);
  const proposals = await loadProposals(tx, { requests, requested, stored, isNote, at });
  const { companyId } = tx;
  const stagedNotes = stageNotes({ companyId, feed, notes, purged, at, sharing });
  return {
    companyId,
    merge: prepared.merge,
    titledNotes: createTitledNotes(creates, titled),
    texts,
    stagedNotes,
    mutations: createMutationLog(stored),
    proposals,
    foreignIds: new Set(foreignIds),
    parsePut,
    undone: [],
    undoneOf: (id) => undone.get(id) ?? [],
    feed,
    at,
  };
};

/** Takes the lock, and reads what is stored of the changes of a batch. */
const readStored = async (
  tx: CompanyTx,
  { changes, ids, idsToCheck, readFeed }: BatchInput,
  creates: readonly CreateChange[],
) => {
  const keys = changes.map(mutationOf).filter((key) => key !== null);
  const [feed, read, purged, foreignIds, stored, titled] = await Promise.all([
    readFeed(tx),
    listNotesById(tx, ids),
    listPurgedNotes(tx, ids),
    idsToCheck.length > 0 ? listIdsOfOtherCompanies(tx, idsToCheck) : [],
    keys.length > 0 ? listMutations(tx, keys) : [],
    creates.length > 0
      ? listTitledNotes(
          tx,
          creates.map(({ fields }) => fields),
          titledNotesMax,
        )
      : [],
  ]);
  return { feed, read, purged, foreignIds, stored, titled };
};

type Loaded = {
  readonly changes: readonly SubmittedChange[];
  readonly notes: readonly WritableNote[];
  readonly purged: readonly PurgedNote[];
};

/**
 * The versions that undos took out of notes whose client has not seen the present one. Read only for those: the base of
 * nearly every change is the present version.
 */
const loadUndone = async (
  tx: CompanyTx,
  { changes, notes, purged }: Loaded,
): Promise<ReadonlyMap<NoteId, UndoneRange[]>> => {
  const revisionOf = new Map([...purged, ...notes].map(({ id, revision }) => [id, revision]));
  const stale = changes.flatMap((change) =>
    change.rule === 'unparsed_put' &&
    change.baseRevision !== null &&
    change.baseRevision < (revisionOf.get(change.id) ?? 0)
      ? [change.id]
      : [],
  );
  return stale.length === 0
    ? new Map()
    : Map.groupBy(await listUndoneRanges(tx, [...new Set(stale)]), ({ noteId }) => noteId);
};
