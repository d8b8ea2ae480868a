import type { Schema } from '@commonplace/client';

export type Outcome = Schema<'UndoOutcome'>;

/** What became of a note, in words. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  undone: 'undone',
  partly: 'partly undone',
  removed: 'removed',
  kept: 'kept',
  restored: 'restored',
  unchanged: 'unchanged',
  base_purged: 'earlier version purged',
};

/** Colours of outcomes; the words say the same. */
export const outcomeColours: Readonly<Record<Outcome, string>> = {
  undone: 'teal',
  partly: 'orange',
  removed: 'teal',
  kept: 'orange',
  restored: 'teal',
  unchanged: 'gray',
  base_purged: 'orange',
};

/** The outcomes that notes have, each with their number. */
export const countedOutcomes = (outcomes: Schema<'Undo'>['outcomes']) =>
  (Object.keys(outcomeWords) as Outcome[]).flatMap((outcome) =>
    outcomes[outcome] === 0 ? [] : [{ outcome, count: outcomes[outcome] }],
  );

const changing: readonly Outcome[] = ['undone', 'partly', 'removed', 'restored'];

/** Whether a note with this outcome is written. */
export const changesNote = (outcome: Outcome): boolean => changing.includes(outcome);

/** How many notes change and how many do not. */
export const countsOf = (outcomes: Schema<'Undo'>['outcomes']) => {
  let [changed, unchanged] = [0, 0];
  for (const [outcome, count] of Object.entries(outcomes)) {
    if (changesNote(outcome as Outcome)) {
      changed += count;
    } else {
      unchanged += count;
    }
  }
  return { changed, unchanged };
};

type Counted = Pick<Schema<'Undo'>, 'outcomes' | 'withdrawnProposals'>;

/** "1 note changes, 3 stay as they are." */
export const describeCounts = (
  { outcomes, withdrawnProposals }: Counted,
  isDone: boolean,
): string => {
  const { changed, unchanged } = countsOf(outcomes);
  const notes = changed === 1 ? 'note' : 'notes';
  const past = changed === 1 ? 'was' : 'were';
  const staying = unchanged === 1 ? 'is as it was' : 'are as they were';
  const ofNotes = isDone
    ? `${changed} ${notes} ${past} changed, ${unchanged} ${staying}.`
    : `${changed} ${notes} would change, ${unchanged} would not.`;
  return withdrawnProposals === 0
    ? ofNotes
    : `${ofNotes} ${describeWithdrawn(withdrawnProposals, isDone)}`;
};

const describeWithdrawn = (count: number, isDone: boolean): string => {
  const proposals = count === 1 ? 'open proposal' : 'open proposals';
  return isDone
    ? `${count} ${proposals} ${count === 1 ? 'was' : 'were'} withdrawn.`
    : `${count} ${proposals} would be withdrawn.`;
};
