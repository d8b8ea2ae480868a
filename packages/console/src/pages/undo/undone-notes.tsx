import { Button, Group } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { undoneNotesQuery } from '../../api/undo-queries.ts';
import { ListBody } from '../../components/list-body.tsx';
import { useActorNamesOf } from '../../components/use-actor-names.ts';
import { countedOutcomes, outcomeWords, type Outcome } from './outcomes.ts';
import { UndoneNoteRow } from './undone-note-row.tsx';

type Note = Schema<'UndoneNote'>;

type UndoneNotesProps = {
  readonly companyId: string;
  readonly undo: Schema<'Undo'>;
  /** Displayed if there are none. */
  readonly empty: React.ReactNode;
  /** What a row has besides the note. */
  readonly choiceOf?: (
    note: Note,
  ) => Pick<React.ComponentProps<typeof UndoneNoteRow>, 'isChosen' | 'onChoose'>;
};

/** The notes of an undo that is finished, of all outcomes or of one. */
export const UndoneNotes = ({ companyId, undo, empty, choiceOf }: UndoneNotesProps) => {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const query = useInfiniteQuery(undoneNotesQuery(companyId, undo.id, outcome));
  const { nameOf } = useActorNamesOf(companyId);
  return (
    <>
      <OutcomeFilter undo={undo} shown={outcome} onShow={setOutcome} />
      <ListBody query={query} found={{ noun: 'note' }} empty={empty}>
        {(notes) =>
          notes.map((note) => (
            <UndoneNoteRow
              key={note.noteId}
              companyId={companyId}
              note={note}
              word={outcomeWords(undo)[note.outcome]}
              nameOf={nameOf}
              {...choiceOf?.(note)}
            />
          ))
        }
      </ListBody>
    </>
  );
};

type OutcomeFilterProps = {
  readonly undo: Schema<'Undo'>;
  /** Null: all. */
  readonly shown: Outcome | null;
  readonly onShow: (outcome: Outcome | null) => void;
};

/** How many notes have which outcome, counted by the server; each shows only those. */
const OutcomeFilter = ({ undo, shown, onShow }: OutcomeFilterProps) => {
  const counted = countedOutcomes(undo.outcomes);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  const choices = [
    { outcome: null, label: `All ${total}` },
    ...counted.map(({ outcome, count }) => ({
      outcome,
      label: `${count} ${outcomeWords(undo)[outcome]}`,
    })),
  ];
  return total === 0 ? null : (
    <Group gap="xs" role="group" aria-label="Notes by outcome">
      {choices.map(({ outcome, label }) => (
        <Button
          key={label}
          size="xs"
          variant={outcome === shown ? 'light' : 'default'}
          aria-pressed={outcome === shown}
          onClick={() => onShow(outcome)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
};
