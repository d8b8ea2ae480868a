import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { noteQuery, notesOfTitleQuery } from '../../../api/note-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { isId } from '../../../components/is-id.ts';
import type { NoteLinks } from '../markdown/note-link.tsx';
import { createLinkResolver, targetIn } from '../markdown/resolve-note-link.ts';

/** Further links of a preview are looked up as they come into view. */
const titlesMax = 50;
const idsMax = 20;
const titleStaleMs = 60_000;

/** The links of a text that is being written. They open a tab, because the text would be left otherwise. */
export const usePreviewLinks = (text: string, folder: string): NoteLinks => {
  const companyId = useCompanyId();
  const written = titlesIn(text);
  const found = useQueries({
    queries: written.map((title) => notesOfTitleQuery(companyId, title)),
    combine: (results) => results.map(({ data }) => data?.items),
  });
  const links = written.flatMap((title, index) => {
    const notes = found[index];
    return notes ? [{ title, target: targetIn(notes, folder) }] : [];
  });
  const ids = idsIn(text);
  const titlesOfIds = useQueries({
    queries: ids.map((id) => ({ ...noteQuery(companyId, id), staleTime: titleStaleMs })),
    combine: (results) => results.map(({ data }) => data?.title),
  });
  const named = JSON.stringify(ids.map((id, index) => [id, titlesOfIds[index] ?? '']));
  const known = JSON.stringify(links);
  return useMemo(() => {
    const titles = new Map(JSON.parse(named) as readonly [string, string][]);
    const resolve = createLinkResolver(JSON.parse(known) as typeof links, false);
    return {
      resolve: (written) => (isId(written) ? written : resolve(written)),
      opensTab: true,
      soughtFrom: folder,
      // A note without a title keeps its id.
      titleOf: (id) => titles.get(id) || undefined,
    };
  }, [known, named, folder]);
};

/** The ids among the links. Titles of more notes are not loaded. */
const idsIn = (text: string): readonly string[] =>
  [
    ...new Set(
      [...text.matchAll(/\[\[\s*([0-9a-f-]{36})\s*\]\]/gi)].map(([, id = '']) => id.toLowerCase()),
    ),
  ]
    .filter(isId)
    .slice(0, idsMax);

const titlesIn = (text: string): readonly string[] => {
  const titles = [...text.matchAll(/\[\[([^[\]|\n]{0,499}[^[\]|\\\n])/g)].map(([, title = '']) =>
    title.trim(),
  );
  return [...new Set(titles)].filter((title) => title !== '' && !isId(title)).slice(0, titlesMax);
};
