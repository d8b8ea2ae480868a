import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { notesOfTitleQuery } from '../../../api/note-queries.ts';
import type { NoteText } from '../note-text.ts';
import type { DraftName } from './drafts.ts';

/** Another note with the same title. */
export type TitleTwin = { readonly id: string; readonly title: string };

type Named = Pick<NoteText, 'title' | 'folder'>;

export type TitleOptions = {
  readonly draftName: DraftName;
  readonly saved: Named;
  readonly written: Named;
  /** A note that is being created is no twin of itself. */
  readonly isPending: boolean;
};

const lookupMs = 300;

/**
 * Other notes of the folder that have the written title, the newest first. None for a saved note that keeps its title and folder.
 */
export const useTitleTwins = ({
  draftName,
  saved,
  written,
  isPending,
}: TitleOptions): readonly TitleTwin[] => {
  const { companyId, noteId } = draftName;
  const title = written.title.trim();
  const isNewName =
    noteId === null || title !== saved.title.trim() || written.folder !== saved.folder;
  const wanted = isNewName && !isPending ? title : '';
  const [sought] = useDebouncedValue(wanted, lookupMs);
  const { data } = useQuery({
    ...notesOfTitleQuery(companyId, sought),
    enabled: sought !== '' && sought === wanted,
  });
  return sought === wanted
    ? (data?.items.filter(({ id, folder }) => id !== noteId && folder === written.folder) ?? [])
    : [];
};
