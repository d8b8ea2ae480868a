import type { Author, NoteSummary } from '@commonplace/contracts/notes';
import type { McpSession } from './mcp-session.ts';

const shownCharactersMax = 120;

/** A text on one line, cut where it is long. */
export const oneLine = (text: string, charactersMax: number = shownCharactersMax): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > charactersMax ? `${line.slice(0, charactersMax - 1)}…` : line;
};

/** The place of a note: `folder/title`. */
export const pathOf = ({ folder, title }: { readonly folder: string; readonly title: string }) =>
  `${folder === '' ? '' : `${oneLine(folder)}/`}${oneLine(title) || 'Untitled'}`;

type Listed = Pick<
  NoteSummary,
  'id' | 'title' | 'folder' | 'tags' | 'pinned' | 'archived' | 'revision' | 'size' | 'updatedAt'
>;

/** A note of a list, on one line. */
export const noteLine = (note: Listed): string =>
  [
    `${note.id} ${pathOf(note)}`,
    `rev ${note.revision}`,
    `${note.size} B`,
    note.updatedAt,
    ...(note.tags.length > 0 ? [oneLine(`#${note.tags.join(' #')}`)] : []),
    ...(note.pinned ? ['pinned'] : []),
    ...(note.archived ? ['archived'] : []),
  ].join(' · ');

/** Says who wrote: the name of an author, else its kind and id. */
export type NameAuthor = (author: Pick<Author, 'kind' | 'id'>) => string;

/** Looks up the names of authors, in one request. */
export const nameAuthors = async (
  { authorNames, company }: Pick<McpSession, 'authorNames' | 'company'>,
  authors: readonly Pick<Author, 'kind' | 'id'>[],
): Promise<NameAuthor> => {
  const names = await authorNames(company.id, authors);
  return ({ kind, id }) => {
    const name = names.get(id);
    return name === undefined ? `${kind} ${id}` : oneLine(name, 60);
  };
};

/** How to get the next page. */
export const moreLine = (nextCursor: string | null): string[] =>
  nextCursor === null ? [] : [`More: call again with cursor "${nextCursor}".`];
