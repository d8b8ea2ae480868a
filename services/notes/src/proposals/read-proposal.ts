import { AppError, type ProposalId } from '@commonplace/contracts/core';
import type { Proposal } from '@commonplace/contracts/notes';
import { readInCompany } from '@commonplace/db';
import { nameAuthors } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { authorsOfProposal, presentProposal } from '../present/present-proposal.ts';
import { findProposal, type ListedProposalRow } from '../queries/list-proposals.ts';
import { proposalViewer, type ProposalCaller } from './proposal-viewer.ts';

type ReadingDeps = Pick<Deps, 'db' | 'describeAuthors' | 'findProposalDeciders' | 'log'>;

/** A proposal that the caller sees, with its text; throws 404. */
export const readProposal = async (
  deps: ReadingDeps,
  { caller, company }: ProposalCaller,
  id: ProposalId,
): Promise<ListedProposalRow> => {
  const viewer = await proposalViewer(deps, { caller, company });
  const row = await readInCompany(deps.db, company.reach, (tx) => findProposal(tx, id, viewer));
  if (!row) {
    throw new AppError('not_found', 'No such proposal.');
  }
  return row;
};

/** The same as the contract has it, without its text. */
export const readPresentedProposal = async (
  deps: ReadingDeps,
  caller: ProposalCaller,
  id: ProposalId,
): Promise<Proposal> => {
  const row = await readProposal(deps, caller, id);
  const named = await nameAuthors(deps, caller.company.id, authorsOfProposal(row));
  return presentProposal(row, caller.company.id, named);
};
