import { AppError, type Reach, type NoteId } from '@commonplace/contracts/core';
import { linkUpdatesMax, type NoteEdit } from '@commonplace/contracts/notes';
import { lookup, type Db } from '@commonplace/db';
import { readCatalog, type CatalogRead } from './read-catalog.ts';
import type { Deps } from '../deps.ts';
import { listLinkingNotes } from '../queries/links.ts';
import { listMutations, type MutationKey } from '../queries/mutations.ts';
import { findNoteUpTo } from '../queries/notes.ts';
import { linkedTitle } from '../rules/linked-title.ts';
import type { LinkRename } from '../rules/rename-links.ts';

/** The links that a rename changes, and the notes that have them. */
export type PlannedRename = { readonly rename: LinkRename; readonly sources: readonly NoteId[] };

type Rename = {
  readonly reach: Reach;
  readonly id: NoteId;
  readonly edits: readonly NoteEdit[];
  /** Null: the client sent no key. */
  readonly mutation: MutationKey | null;
  readonly work: CatalogRead<unknown>['work'];
};

/**
 * Finds the notes whose links a rename updates; null: the edits request none, or were made before. Throws
 * `edit_not_applicable` for too many, and `busy` while links of the company are not listed yet, because some would be left
 * out.
 */
export const planLinkRename = async (
  deps: Pick<Deps, 'db'>,
  { reach, id, edits, mutation, work }: Rename,
): Promise<PlannedRename | null> => {
  const index = edits.findLastIndex((edit) => edit.op === 'set' && edit.updateLinks === true);
  const titled = edits.findLast((edit) => edit.op === 'set' && edit.title !== undefined);
  const to = titled?.op === 'set' ? titled.title : undefined;
  if (index < 0 || to === undefined || (await isRepeated(deps.db, reach, mutation))) {
    return null;
  }
  const note = await lookup(deps.db, reach, (tx) => findNoteUpTo(tx, id, 0));
  if (note?.deletedAt !== null || note.title === to) {
    return null;
  }
  const { result, isComplete } = await readCatalog(deps, {
    reach,
    work,
    query: (tx) =>
      listLinkingNotes(tx, {
        id,
        linkedTitle: linkedTitle(note.title),
        limit: linkUpdatesMax.notes + 1,
      }),
  });
  if (!isComplete) {
    throw new AppError('busy', 'The links of this company are still being listed.', {
      headers: { 'Retry-After': '5' },
    });
  }
  const others = result.filter((source) => source.id !== id);
  const bytes = others.reduce((sum, { size }) => sum + size, 0);
  if (others.length > linkUpdatesMax.notes || bytes > linkUpdatesMax.bytes) {
    const detail = 'Too many notes link to this one; rename it without updateLinks.';
    throw new AppError('edit_not_applicable', detail, { extensions: { edit: index } });
  }
  const rename = { op: 'rename_links', id, from: note.title, to } as const;
  return { rename, sources: others.map((source) => source.id) };
};

const isRepeated = async (db: Db, reach: Reach, mutation: MutationKey | null): Promise<boolean> =>
  mutation !== null && (await lookup(db, reach, (tx) => listMutations(tx, [mutation]))).length > 0;
