import { changeablePrefixes } from '@commonplace/contracts/core';
import type { CompanyScope } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import type { ProposalViewer } from '../queries/list-proposals.ts';

export type ProposalCaller = {
  readonly caller: AgentCaller | OperatorCaller;
  readonly company: CompanyScope;
};

/** Whose proposals a caller sees: an operator all, an agent its own and those that it may decide. */
export const proposalViewer = async (
  { findProposalDeciders }: Pick<Deps, 'findProposalDeciders'>,
  { caller, company }: ProposalCaller,
): Promise<ProposalViewer> => {
  if (caller.kind === 'operator') {
    return null;
  }
  const prefixes = changeablePrefixes(company.grants);
  const deciders = prefixes.length === 0 ? 'operators' : await findProposalDeciders(company.id);
  return { agentId: caller.agentId, decides: deciders === 'agents' ? prefixes : [] };
};

/** As far as it is known: an agent is shown its own proposals while nobody says who decides. */
export const knownProposalViewer = async (
  { findProposalDeciders, log }: Pick<Deps, 'findProposalDeciders' | 'log'>,
  caller: ProposalCaller,
): Promise<ProposalViewer> => {
  const findKnownDeciders: Deps['findProposalDeciders'] = (companyId) =>
    findProposalDeciders(companyId).catch((error: unknown) => {
      log.warn({ err: error }, 'an agent is shown its own proposals only');
      return 'operators' as const;
    });
  return proposalViewer({ findProposalDeciders: findKnownDeciders }, caller);
};
