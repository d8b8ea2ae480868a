import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { notesOfTitleQuery } from '../../../api/note-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { isId } from '../../../components/is-id.ts';
import type { NoteLinks } from '../markdown/note-link.tsx';
import { createLinkResolver } from '../markdown/resolve-note-link.ts';

/** Further links of a preview stay text. */
const titlesMax = 50;

/** The links of a text that is being written. They open a tab, because the text would be left otherwise. */
export const usePreviewLinks = (text: string, folder: string): NoteLinks => {
  const companyId = useCompanyId();
  const titles = titlesIn(text);
  const found = useQueries({
    queries: titles.map((title) => notesOfTitleQuery(companyId, title)),
    combine: (results) => results.map(({ data }) => data?.items),
  });
  const links = titles.flatMap((title, index) => {
    const notes = found[index];
    // The server chooses the same way, for a note that is saved.
    const target = notes && (notes.find((note) => note.folder === folder) ?? notes[0]);
    return notes ? [{ title, target: target?.id ?? null }] : [];
  });
  const known = JSON.stringify(links);
  return useMemo(() => {
    const resolve = createLinkResolver(JSON.parse(known) as typeof links, false);
    return {
      resolve: (written) => (isId(written) ? written : resolve(written)),
      opensTab: true,
    };
  }, [known]);
};

const titlesIn = (text: string): readonly string[] => {
  const titles = [...text.matchAll(/\[\[([^[\]|\n]{0,499}[^[\]|\\\n])/g)].map(([, title = '']) =>
    title.trim(),
  );
  return [...new Set(titles)].filter((title) => title !== '' && !isId(title)).slice(0, titlesMax);
};
