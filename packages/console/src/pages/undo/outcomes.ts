import type { Schema } from '@commonplace/client';
import { countNotes } from '../../components/count-notes.ts';

export type Outcome = Schema<'UndoOutcome'>;

/** What became of a note. */
const doneWords: Readonly<Record<Outcome, string>> = {
  undone: 'undone',
  partly: 'partly undone',
  removed: 'removed',
  kept: 'kept',
  restored: 'restored',
  unchanged: 'unchanged',
  base_purged: 'earlier version purged',
};

/** What a dry run says of a note. */
const plannedWords: Readonly<Record<Outcome, string>> = {
  undone: 'will be undone',
  partly: 'will be partly undone',
  removed: 'will be removed',
  kept: 'will be kept',
  restored: 'will be restored',
  unchanged: 'will not change',
  base_purged: 'earlier version purged',
};

/** What became of notes in words, or of a dry run what will. */
export const outcomeWords = ({ dryRun }: Pick<Schema<'Undo'>, 'dryRun'>) =>
  dryRun ? plannedWords : doneWords;

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
  (Object.keys(outcomeColours) as Outcome[]).flatMap((outcome) =>
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

type Counted = Pick<Schema<'Undo'>, 'dryRun' | 'outcomes' | 'withdrawnProposals'>;

/** "1 note was changed, 3 are as they were.", or "1 note was changed." if there are no others. Of a dry run, what will be. */
export const describeCounts = ({ dryRun, outcomes, withdrawnProposals }: Counted): string => {
  const { changed, unchanged } = countsOf(outcomes);
  const past = changed === 1 ? 'was' : 'were';
  const staying = unchanged === 1 ? 'is as it was' : 'are as they were';
  const ofChanged = `${countNotes(changed)} ${dryRun ? 'will change' : `${past} changed`}`;
  const ofOthers = `, ${unchanged} ${dryRun ? 'will not' : staying}`;
  const ofNotes = `${ofChanged}${unchanged === 0 ? '' : ofOthers}.`;
  return withdrawnProposals === 0
    ? ofNotes
    : `${ofNotes} ${describeWithdrawn(withdrawnProposals, dryRun)}`;
};

const describeWithdrawn = (count: number, isPlanned: boolean): string => {
  const proposals = count === 1 ? 'open proposal' : 'open proposals';
  const past = count === 1 ? 'was' : 'were';
  return `${count} ${proposals} ${isPlanned ? 'will be' : past} withdrawn.`;
};
