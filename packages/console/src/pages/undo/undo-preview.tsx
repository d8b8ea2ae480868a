import { Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { undoneNotesQuery, undoQuery } from '../../api/undo-queries.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { changesNote, countsOf, describeCounts } from './outcomes.ts';
import { UndoRunning } from './undo-running.tsx';
import { UndoneNoteRow } from './undone-note-row.tsx';

type UndoPreviewProps = {
  readonly companyId: string;
  readonly undoId: string;
  readonly excluded: ReadonlySet<string>;
  readonly onExclude: (excluded: ReadonlySet<string>) => void;
  /** Called with the number of notes that would change, and of proposals that would be withdrawn. */
  readonly onCount: (notes: number, proposals: number) => void;
};

/** The notes that an undo would change, with their differences, each to be left out. */
export const UndoPreview = ({ companyId, undoId, ...selection }: UndoPreviewProps) => {
  const { data: undo, error } = useQuery(undoQuery(companyId, undoId));
  const { onCount } = selection;
  const { changed } = undo ? countsOf(undo.outcomes) : { changed: 0 };
  const isFinished = undo !== undefined && undo.finishedAt !== null;
  const withdrawn = undo?.withdrawnProposals ?? 0;
  useEffect(() => {
    if (isFinished) {
      onCount(changed, withdrawn);
    }
  }, [isFinished, changed, withdrawn, onCount]);
  if (!isFinished) {
    return error ? <ErrorAlert error={error} /> : <UndoRunning undo={undo} verb="Comparing" />;
  }
  return <Notes companyId={companyId} undo={undo} {...selection} />;
};

type NotesProps = Omit<UndoPreviewProps, 'undoId' | 'onCount'> & {
  readonly undo: Schema<'Undo'>;
};

const Notes = ({ companyId, undo, excluded, onExclude }: NotesProps) => {
  const query = useInfiniteQuery(undoneNotesQuery(companyId, undo.id));
  const choose = (id: string, isChosen: boolean): void => {
    const next = new Set(excluded);
    if (isChosen) {
      next.delete(id);
    } else {
      next.add(id);
    }
    onExclude(next);
  };
  return (
    <Stack gap="xs">
      <Text size="sm">{describeCounts(undo, false)}</Text>
      <ListBody query={query} empty={<Text size="sm">It wrote no notes.</Text>}>
        {(notes) =>
          notes.map((note) => (
            <UndoneNoteRow
              key={note.noteId}
              companyId={companyId}
              note={note}
              isChosen={!excluded.has(note.noteId)}
              {...(changesNote(note.outcome)
                ? { onChoose: (isChosen: boolean) => choose(note.noteId, isChosen) }
                : {})}
            />
          ))
        }
      </ListBody>
    </Stack>
  );
};
