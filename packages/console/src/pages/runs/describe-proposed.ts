import type { Schema } from '@commonplace/client';

type State = Schema<'ProposalState'>;

/** Their states, the newest proposals of a run. */
type Proposed = { readonly states: readonly State[]; readonly hasMore: boolean };

const shown: readonly State[] = ['accepted', 'rejected', 'expired', 'open'];

/** "9 proposed, 7 accepted, 2 open". */
export const describeProposed = ({ states, hasMore }: Proposed): string => {
  const parts = shown
    .map((state) => [states.filter((each) => each === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${state}`);
  return hasMore
    ? `${states.length} or more proposed; of the newest ${parts.join(', ')}`
    : [`${states.length} proposed`, ...parts].join(', ');
};
