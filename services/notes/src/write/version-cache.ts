import type { NoteFields } from '@commonplace/contracts/notes';
import type { VersionName, VersionOrSummary } from '../queries/versions.ts';

/** What living versions said. A committed version never changes, so its text is good for ever. */
export type VersionCache = {
  readonly find: (name: VersionName) => NoteFields | null;
  readonly add: (name: VersionName, fields: NoteFields) => void;
  /** Deletions have no text and are left out, as is what was read without its text. */
  readonly addRows: (rows: readonly VersionOrSummary[]) => void;
};

const keyOf = ({ id, revision }: VersionName): string => `${id}:${revision}`;

/**
 * Keeps the texts of versions, on top of those that are known already. What a transaction adds for
 * the versions it makes itself goes into a layer of its own: if it fails, nobody may see them again.
 */
export const createVersionCache = (known?: VersionCache): VersionCache => {
  const texts = new Map<string, NoteFields>();
  const add: VersionCache['add'] = (name, fields) => {
    texts.set(keyOf(name), fields);
  };
  return {
    find: (name) => texts.get(keyOf(name)) ?? known?.find(name) ?? null,
    add,
    addRows: (rows) =>
      rows.forEach(({ content, ...row }) => {
        if (!row.deleted && content !== null) {
          add({ id: row.noteId, revision: row.revision }, { ...row, content });
        }
      }),
  };
};
