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
  readonly choices: Choices;
  /** The text that was chosen of earlier versions, where the choices do not all apply to these; null: none. */
  readonly earlier: string | null;
};

type State = Chosen & { readonly of: readonly ConflictPart[] | null };

/** What is chosen of each change of two texts. Newer versions leave the choices that apply to them, and the text of the others. */
export const useChoices = ({ current, other }: Versions, initial: ConflictWork | null = null) => {
  const parts = useMemo(() => conflictParts(current, other), [current, other]);
  const changes = (parts ?? []).filter(({ kind }) => kind === 'change').length;
  const [stored, setState] = useState<State>(() => ({
    of: parts,
    choices: (initial?.choices ?? []).slice(0, changes).map((choice) => choice ?? undefined),
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

const ofNewer = ({ of, choices, earlier }: State, parts: State['of']): State => {
  const carried = of && parts ? carryChoices(of, choices, parts) : [];
  const isWhole = countOf(carried) === countOf(choices);
  return {
    of: parts,
    choices: carried,
    // What was not discarded stays, also where newer versions come more than once.
    earlier:
      isWhole || !of
        ? earlier
        : [earlier, textOfChoices(of, choices)].filter((text) => text !== null).join('\n\n'),
  };
};

const countOf = (choices: Choices): number =>
  choices.filter((choice) => choice !== undefined).length;
