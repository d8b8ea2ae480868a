import { Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { undoQuery } from '../../api/undo-queries.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { changesNote, countsOf, describeCounts } from './outcomes.ts';
import { UndoRunning } from './undo-running.tsx';
import { UndoneNotes } from './undone-notes.tsx';

type UndoPreviewProps = {
  readonly companyId: string;
  readonly undoId: string;
  readonly excluded: ReadonlySet<string>;
  readonly onExclude: (excluded: ReadonlySet<string>) => void;
  /** Called with the number of notes that will change, and of proposals that will be withdrawn. */
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
      <Text size="sm">{describeCounts(undo)}</Text>
      <UndoneNotes
        companyId={companyId}
        undo={undo}
        empty={<Text size="sm">It wrote no notes.</Text>}
        choiceOf={({ noteId, outcome }) => ({
          isChosen: !excluded.has(noteId),
          ...(changesNote(outcome) && {
            onChoose: (isChosen: boolean) => choose(noteId, isChosen),
          }),
        })}
      />
    </Stack>
  );
};
