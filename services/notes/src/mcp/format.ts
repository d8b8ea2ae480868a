import {
  fitsInBytes,
  type Author,
  type ListedNote,
  type NoteSummary,
} from '@commonplace/contracts/notes';
import { contentWindow } from '../rules/content-window.ts';
import type { McpSession } from './mcp-session.ts';
import { resultBytesDefault } from './tool-result.ts';

/** The bytes of a title, a folder or a name that are shown. */
export const shownBytesMax = 240;

/** The bytes of the name of an author that are shown. */
const nameBytesMax = 60;

/** The first bytes of a text, between characters: half a surrogate pair is no JSON for some clients. */
export const firstBytes = (text: string, bytesMax: number): string =>
  fitsInBytes(text, bytesMax)
    ? text
    : `${contentWindow(text, { maxBytes: bytesMax - Buffer.byteLength('…') }).text}…`;

/** A text on one line, cut where it is long. */
export const oneLine = (text: string, bytesMax: number = shownBytesMax): string =>
  firstBytes(text.replace(/\s+/gu, ' ').trim(), bytesMax);

/**
 * Renders a list with lines as wide as the result has room for: 100 notes with long titles in Chinese take three
 * times the bytes of the same titles in English.
 */
export const fitted = (render: (bytesMax: number) => string): string => {
  for (const bytesMax of [shownBytesMax, shownBytesMax / 2]) {
    const text = render(bytesMax);
    if (fitsInBytes(text, resultBytesDefault)) {
      return text;
    }
  }
  return render(shownBytesMax / 4);
};

/** The place of a note: `folder/title`. */
export const pathOf = (
  { folder, title }: { readonly folder: string; readonly title: string },
  bytesMax?: number,
): string =>
  `${folder === '' ? '' : `${oneLine(folder, bytesMax)}/`}${oneLine(title, bytesMax) || 'Untitled'}`;

type Listed = Pick<
  NoteSummary,
  | 'id'
  | 'title'
  | 'folder'
  | 'tags'
  | 'pinned'
  | 'archived'
  | 'revision'
  | 'size'
  | 'updatedAt'
  | 'conflictOf'
> &
  Pick<ListedNote, 'conflictCopies'>;

/** A note of a list, on one line. */
export const noteLine = (note: Listed, bytesMax?: number): string =>
  [
    `${note.id} ${pathOf(note, bytesMax)}`,
    `rev ${note.revision}`,
    `${note.size} B`,
    note.updatedAt,
    ...(note.tags.length > 0 ? [oneLine(`#${note.tags.join(' #')}`, bytesMax)] : []),
    ...(note.pinned ? ['pinned'] : []),
    ...(note.archived ? ['archived'] : []),
    ...(note.conflictOf === null ? [] : [`conflict copy of ${note.conflictOf}`]),
    ...(note.conflictCopies === undefined ? [] : [`conflict copies: ${note.conflictCopies}`]),
  ].join(' · ');

/** Says who wrote: the name of an author, else its kind and id, and that it was by an undo. */
export type AuthorLabel = (author: Pick<Author, 'kind' | 'id' | 'via'>) => string;

/** Looks up the names of authors, in one request, and returns what says who wrote. */
export const authorLabels = async (
  { authorNames, company }: Pick<McpSession, 'authorNames' | 'company'>,
  authors: readonly Pick<Author, 'kind' | 'id'>[],
): Promise<AuthorLabel> => {
  const names = await authorNames(company.id, authors);
  return ({ kind, id, via }) => {
    const name = names.get(id);
    const who = name === undefined ? `${kind} ${id}` : oneLine(name, nameBytesMax);
    return via === 'undo' ? `${who} (undo)` : who;
  };
};

/** How to get the next page. */
export const moreLine = (nextCursor: string | null): string[] =>
  nextCursor === null ? [] : [`More: call again with cursor "${nextCursor}".`];
