import { codeOf, type CompanyId, type NoteId } from '@commonplace/contracts/core';
import { write, type CompanyTx, type Db } from '@commonplace/db';
import {
  listRemovedWords,
  lockSearchProgress,
  updateSearchProgress,
  upsertDocuments,
  type IndexedNote,
  type NoteToIndex,
  type SearchProgress,
} from '../queries/search-index.ts';
import { insertWords } from '../queries/search-words.ts';
import { removeWords } from './remove-words.ts';
import { DocumentError, type BuildDocuments } from './text/document-thread.ts';
import type { SearchDocument, SearchedNote } from './text/search-document.ts';

/** A note that could not be indexed; it is found by its title. */
export type IndexFailure = {
  readonly companyId: CompanyId;
  readonly noteId: NoteId;
  readonly error: unknown;
};

export type StoreDeps = {
  readonly db: Db;
  readonly buildDocuments: BuildDocuments;
  readonly onFailure: (failure: IndexFailure) => void;
};

/** Notes to store the documents of. */
export type IndexPart = {
  readonly notes: readonly NoteToIndex[];
  /** The change up to which notes were indexed before. */
  readonly after: number;
  /** The progress after changes beyond `from`, up to `to`; null: another process stored them. */
  readonly advance: (
    now: SearchProgress,
    changes: { readonly from: number; readonly to: number },
  ) => SearchProgress | null;
  /** Whether words that these notes had before stay, because all words are gone through later. */
  readonly keepsWords: boolean;
  /** What is indexed of a note; absent: all of it. */
  readonly textOf?: (note: SearchedNote) => SearchedNote;
};

/**
 * Stores the documents of a part. If one of them is the reason that it fails, they are stored one by one, and that note
 * is indexed by its title alone, so that it keeps no other from being found.
 */
export const storePart = async (
  deps: StoreDeps,
  companyId: CompanyId,
  part: IndexPart,
): Promise<void> => {
  if ((await tryToStore(deps, companyId, part)) === null) {
    return;
  }
  let { after } = part;
  for (const note of part.notes) {
    await storeAlone(deps, companyId, { ...part, after, notes: [note] });
    after = note.changeNo;
  }
};

/** Null when the part is stored; otherwise why one of its documents cannot be. */
const tryToStore = async (
  deps: StoreDeps,
  companyId: CompanyId,
  part: IndexPart,
): Promise<{ readonly error: unknown } | null> => {
  try {
    await buildAndStore(deps, companyId, part);
    return null;
  } catch (error) {
    if (!isOfDocument(error)) {
      throw error;
    }
    return { error };
  }
};

/** Too large, too long, or of wrong form for PostgreSQL (classes 22 and 54), or too much for the thread. */
const isOfDocument = (error: unknown): boolean =>
  error instanceof DocumentError || /^(?:22|54)/.test(codeOf(error) ?? '');

const storeAlone = async (
  deps: StoreDeps,
  companyId: CompanyId,
  part: IndexPart,
): Promise<void> => {
  const failed = await tryToStore(deps, companyId, part);
  if (failed === null) {
    return;
  }
  for (const { id } of part.notes) {
    deps.onFailure({ companyId, noteId: id, error: failed.error });
  }
  await buildAndStore(deps, companyId, { ...part, textOf: titleOf });
};

const titleOf = ({ title }: SearchedNote): SearchedNote => ({
  title,
  content: '',
  folder: '',
  tags: [],
});

/** Builds documents outside the transaction, because that takes longer than storing them. */
const buildAndStore = async (
  { db, buildDocuments }: StoreDeps,
  companyId: CompanyId,
  { notes, after, advance, keepsWords, textOf = (note) => note }: IndexPart,
): Promise<void> => {
  const changed = notes.flatMap((note) =>
    note.content === null ? [] : [{ ...note, content: note.content }],
  );
  const documents = changed.length > 0 ? await buildDocuments(companyId, changed.map(textOf)) : [];
  const indexed = changed.map(({ id, changeNo }, index) => ({
    id,
    changeNo,
    document: documents[index]?.document ?? '',
    wordCount: documents[index]?.wordCount ?? 0,
  }));
  const removed = await write(db, companyId, async (tx: CompanyTx) => {
    const changes = { from: after, to: notes.at(-1)?.changeNo ?? after };
    const next = advance(await lockSearchProgress(tx), changes);
    if (!next) {
      return [];
    }
    const had =
      keepsWords || indexed.length === 0 ? [] : await listRemovedWords(tx, indexed, removedMax);
    if (indexed.length > 0) {
      await storeDocuments(tx, indexed, documents);
    }
    await updateSearchProgress(tx, next);
    return had;
  });
  await removeWords(db, companyId, removed);
};

/** Words that are looked for after a part, because their note has them no more. */
const removedMax = 1_000;

const storeDocuments = async (
  tx: CompanyTx,
  indexed: readonly IndexedNote[],
  documents: readonly SearchDocument[],
): Promise<void> => {
  await upsertDocuments(tx, indexed);
  const words = new Set(documents.flatMap((document) => document.words));
  await insertWords(tx, [...words].toSorted());
};
