import type { NoteFields } from '@commonplace/contracts';
import type { VersionName } from '../queries/list-versions.ts';
import type { RevisionRow } from '../queries/revision-row.ts';

/** What living versions said. Versions never change, so a text read once is good for ever. */
export type VersionTexts = {
  readonly find: (name: VersionName) => NoteFields | null;
  readonly has: (name: VersionName) => boolean;
  readonly add: (name: VersionName, fields: NoteFields) => void;
  /** Deletions have no text and are left out. */
  readonly addRows: (rows: readonly RevisionRow[]) => void;
};

const keyOf = ({ id, revision }: VersionName): string => `${id}:${revision}`;

export const createVersionTexts = (): VersionTexts => {
  const texts = new Map<string, NoteFields>();
  const add: VersionTexts['add'] = (name, fields) => {
    texts.set(keyOf(name), fields);
  };
  return {
    find: (name) => texts.get(keyOf(name)) ?? null,
    has: (name) => texts.has(keyOf(name)),
    add,
    addRows: (rows) =>
      rows
        .filter((row) => !row.deleted)
        .forEach((row) => add({ id: row.noteId, revision: row.revision }, row)),
  };
};
