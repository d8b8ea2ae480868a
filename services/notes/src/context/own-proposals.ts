import type { Reach } from '@commonplace/contracts/core';
import type { Context } from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { presentEndedProposal } from '../present/present-proposal.ts';
import {
  countVisibleProposals,
  listDecidedProposals,
  type ListedProposalRow,
} from '../queries/list-proposals.ts';

const endedMax = 5;
const endedForMs = 7 * 86_400_000;

/** The open proposals of an agent, counted, and those that ended lately. */
export type OwnProposals = { readonly open: number; readonly ended: readonly ListedProposalRow[] };

/** Reads what a context says of the proposals of its agent; an operator has none. */
export const readOwnProposals = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { reach, caller }: { readonly reach: Reach; readonly caller: AgentCaller | OperatorCaller },
): Promise<OwnProposals> => {
  if (caller.kind === 'operator') {
    return { open: 0, ended: [] };
  }
  const { agentId } = caller;
  const since = new Date(clock().getTime() - endedForMs);
  return read(db, reach, async (tx) => {
    const [open, ended] = await Promise.all([
      countVisibleProposals(tx, { agentId, decides: [] }),
      listDecidedProposals(tx, agentId, { since, limit: endedMax }),
    ]);
    return { open, ended };
  });
};

/** What a context has of them; nothing if there are none. */
export const presentOwnProposals = (
  { open, ended }: OwnProposals,
  names: Readonly<Record<string, string>>,
): Pick<Context, 'proposals'> =>
  open === 0 && ended.length === 0
    ? {}
    : {
        proposals: {
          open,
          ended: ended.map((row) =>
            presentEndedProposal(row, (author) => ({ ...author, name: names[author.id] ?? null })),
          ),
        },
      };
