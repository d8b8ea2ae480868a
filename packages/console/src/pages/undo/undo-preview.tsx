import { Checkbox, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { undoQuery } from '../../api/undo-queries.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Said } from '../../components/said.tsx';
import { countNotes } from '../../components/count-notes.ts';
import {
  allNotes,
  choose,
  countChosen,
  isChosen,
  noNotes,
  type ChosenNotes,
} from './chosen-notes.ts';
import { changesNote, countsOf, describeCounts } from './outcomes.ts';
import { UndoRunning } from './undo-running.tsx';
import { UndoneNotes } from './undone-notes.tsx';

type UndoPreviewProps = {
  readonly companyId: string;
  readonly undoId: string;
  readonly chosen: ChosenNotes;
  readonly onChoose: (chosen: ChosenNotes) => void;
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

const Notes = ({ companyId, undo, chosen, onChoose }: NotesProps) => {
  const { changed } = countsOf(undo.outcomes);
  const count = countChosen(chosen, changed);
  return (
    <Stack gap="xs">
      <Said>{describeCounts(undo)}</Said>
      {changed > 1 && (
        <Checkbox
          label={`All ${countNotes(changed)} that would change`}
          checked={count === changed}
          indeterminate={count > 0 && count < changed}
          onChange={() => onChoose(count === changed ? noNotes : allNotes)}
        />
      )}
      <UndoneNotes
        companyId={companyId}
        undo={undo}
        empty={<Text size="sm">It wrote no notes.</Text>}
        choiceOf={({ noteId, outcome }) =>
          changesNote(outcome)
            ? {
                isChosen: isChosen(chosen, noteId),
                onChoose: (isToBeChosen) => onChoose(choose(chosen, noteId, isToBeChosen)),
              }
            : {}
        }
      />
    </Stack>
  );
};
