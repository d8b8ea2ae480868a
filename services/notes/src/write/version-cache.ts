import type { NoteFields } from '@commonplace/contracts/notes';
import type { VersionName } from '../queries/version-texts.ts';
import type { VersionOrSummary } from '../queries/versions.ts';

/** Texts of versions. A committed version never changes, so entries never expire. */
export type VersionCache = {
  readonly find: (name: VersionName) => NoteFields | null;
  readonly add: (name: VersionName, fields: NoteFields) => void;
  /** Skips deletions and rows that were read without content. */
  readonly addRows: (rows: readonly VersionOrSummary[]) => void;
};

const keyOf = ({ id, revision }: VersionName): string => `${id}:${revision}`;

/**
 * Creates a cache layered over `known`. Each transaction attempt has its own layer for the versions it
 * creates, so that they are discarded when the attempt fails.
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
