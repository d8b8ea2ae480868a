import type { Schema } from '@commonplace/client';

type Links = readonly Pick<Schema<'NoteLinks'>['links'][number], 'target' | 'title'>[];

/** The id of the target; null if there is no such note, undefined if that is not known. */
type LinkTarget = string | null | undefined;

/** Finds the target of a link by its title or id as written. */
export type ResolveNoteLink = (written: string) => LinkTarget;

/** The note of a title that a link leads to, as the service chooses: of the same folder, or else the newest of all. */
export const targetIn = (
  notes: readonly { readonly id: string; readonly folder: string }[],
  folder: string,
): string | null => (notes.find((note) => note.folder === folder) ?? notes[0])?.id ?? null;

/** What the service compares of two titles: normal form C, lower case, single spaces. */
const keyOf = (title: string): string =>
  title.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** Resolves links by the links of a note. While pages of them are missing, other links are unknown. */
export const createLinkResolver = (links: Links, isComplete: boolean): ResolveNoteLink => {
  const targets = new Map<string, string | null>();
  for (const { target, title } of links) {
    const key = keyOf(title);
    targets.set(key, targets.get(key) ?? target);
    if (target !== null) {
      targets.set(target, target);
    }
  }
  return (written) => {
    const target = targets.get(keyOf(written));
    return target === undefined && isComplete ? null : target;
  };
};

const noteHref = /^\/notes\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[?#]|$)/i;

/** The id of the note that a Markdown link leads to; null for other links. */
export const noteIdOfHref = (href: string | undefined): string | null =>
  noteHref.exec(href ?? '')?.[1]?.toLowerCase() ?? null;
