import { useMemo, useState } from 'react';
import type { ConflictWork } from './conflict-draft.ts';
import {
  carryChoices,
  conflictParts,
  textOfChoices,
  type ChangeChoice,
  type Choices,
  type ConflictPart,
} from './conflict-parts.ts';

type Versions = { readonly current: string; readonly other: string };

/** What is chosen of the changes of two versions. */
export type Chosen = {
  /** Null: too long to compare, so nothing is chosen. */
  readonly of: readonly ConflictPart[] | null;
  readonly choices: Choices;
  /** The text that was chosen of earlier versions, where the choices do not all apply to these; null: none. */
  readonly earlier: string | null;
};

export type Initial = Pick<ConflictWork, 'choices' | 'earlier'> & {
  /** The versions of the choices; absent: those on the page. */
  readonly of?: Versions;
};

/** What is chosen of each change of two texts. Newer versions leave the choices that apply to them, and the text of the others. */
export const useChoices = ({ current, other }: Versions, initial: Initial | null = null) => {
  const parts = useMemo(() => conflictParts(current, other), [current, other]);
  const changes = (parts ?? []).filter(({ kind }) => kind === 'change').length;
  const [stored, setState] = useState<Chosen>(() => ({
    of: initial?.of ? conflictParts(initial.of.current, initial.of.other) : parts,
    choices: (initial?.choices ?? []).map((choice) => choice ?? undefined),
    earlier: initial?.earlier ?? null,
  }));
  const state = stored.of === parts ? stored : ofNewer(stored, parts);
  if (state !== stored) {
    setState(state);
  }
  return {
    parts,
    changes,
    work: state,
    chosen: countOf(state.choices),
    choose: (change: number, choice: ChangeChoice): void =>
      setState({
        ...state,
        choices: Array.from({ length: changes }, (_, index) =>
          index === change ? choice : state.choices[index],
        ),
      }),
    dropEarlier: (): void => setState({ ...state, earlier: null }),
  };
};

const ofNewer = (before: Chosen, parts: Chosen['of']): Chosen => {
  const { of, choices, earlier } = before;
  const carried = of && parts ? carryChoices(of, choices, parts) : [];
  const isWhole = countOf(carried) === countOf(choices);
  return { of: parts, choices: carried, earlier: isWhole ? earlier : chosenText(before) };
};

/** What was chosen, as a text. What was not discarded stays, also where newer versions come more than once. */
export const chosenText = ({ of, choices, earlier }: Chosen): string | null =>
  of && countOf(choices) > 0
    ? [earlier, textOfChoices(of, choices)].filter((text) => text !== null).join('\n\n')
    : earlier;

const countOf = (choices: Choices): number =>
  choices.filter((choice) => choice !== undefined).length;
