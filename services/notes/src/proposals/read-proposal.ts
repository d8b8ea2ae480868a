import { AppError, type CompanyId, type ProposalId } from '@commonplace/contracts/core';
import type { Author, Proposal } from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import { nameAuthors } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { authorsOfProposal, presentProposal, proposerOf } from '../present/present-proposal.ts';
import {
  findProposal,
  type ListedProposalRow,
  type ProposalViewer,
} from '../queries/list-proposals.ts';
import { assertOfNoOtherCompany } from '../read/assert-of-no-other-company.ts';
import { authorOf } from '../rules/author-of.ts';
import { proposalViewer, type ProposalCaller } from './proposal-viewer.ts';

type ReadingDeps = Pick<Deps, 'db' | 'describeRecent' | 'findProposalDeciders' | 'log'>;

type NamingDeps = Pick<Deps, 'describeRecent' | 'log'>;

type LookupDeps = Pick<Deps, 'db' | 'findProposalDeciders'>;

/** A proposal that the caller sees, with its text; throws 403 or 404. Who decides counts for those of others only. */
export const readProposal = (
  deps: LookupDeps,
  caller: ProposalCaller,
  id: ProposalId,
): Promise<ListedProposalRow> => findVisible(deps, caller, { id, withText: true });

const findVisible = async (
  deps: LookupDeps,
  { caller, company }: ProposalCaller,
  { id, withText }: { readonly id: ProposalId; readonly withText: boolean },
): Promise<ListedProposalRow> => {
  const find = (viewer: ProposalViewer) =>
    read(deps.db, company.reach, (tx) => findProposal(tx, id, { viewer, withText }));
  const own = caller.kind === 'agent' ? { agentId: caller.agentId, decides: [] } : null;
  const row =
    (await find(own)) ?? (own && (await find(await proposalViewer(deps, { caller, company }))));
  if (!row) {
    await assertOfNoOtherCompany(deps, company.reach, { ids: [id], subject: 'The proposal' });
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
  const row = await readProposalState(deps, caller, id);
  const named = await nameRecent(deps, caller.company.id, authorsOfProposal(row));
  return presentProposal(row, caller.company.id, named);
};

/** The same as a row, without its text. */
const readProposalState = (
  deps: LookupDeps,
  caller: ProposalCaller,
  id: ProposalId,
): Promise<ListedProposalRow> => findVisible(deps, caller, { id, withText: false });

/** Presents a proposal when the caller has decided about it; the names are looked up meanwhile. */
export const presentDecided = async (
  deps: NamingDeps,
  { caller, company }: ProposalCaller,
  {
    row,
    decide,
  }: { readonly row: ListedProposalRow; readonly decide: () => Promise<ListedProposalRow> },
): Promise<Proposal> => {
  const [named, decided] = await Promise.all([
    nameRecent(deps, company.id, [proposerOf(row), authorOf(caller)]),
    decide(),
  ]);
  return presentProposal(decided, company.id, named);
};

const nameRecent = ({ describeRecent, log }: NamingDeps, ...of: [CompanyId, readonly Author[]]) =>
  nameAuthors({ describeAuthors: describeRecent, log }, ...of);
