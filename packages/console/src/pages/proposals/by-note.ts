import type { Schema } from '@commonplace/client';

type Proposal = Pick<Schema<'Proposal'>, 'noteId' | 'state'>;

/** The proposals with the open ones of a note together, at the place of its first; otherwise in their order. */
export const byNote = <One extends Proposal>(proposals: readonly One[]): readonly One[] => {
  const groups = openByNote(proposals);
  return proposals.flatMap((proposal) => {
    const group = proposal.state === 'open' ? groups.get(proposal.noteId) : undefined;
    return group ? (group[0] === proposal ? group : []) : [proposal];
  });
};

/** How many of the proposals are open, by note. */
export const countByNote = (proposals: readonly Proposal[]): ReadonlyMap<string, number> =>
  new Map([...openByNote(proposals)].map(([noteId, group]) => [noteId, group.length]));

const openByNote = <One extends Proposal>(proposals: readonly One[]): Map<string, One[]> =>
  Map.groupBy(
    proposals.filter(({ state }) => state === 'open'),
    ({ noteId }) => noteId,
  );
