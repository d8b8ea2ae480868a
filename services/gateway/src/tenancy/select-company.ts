import { AppError, companyId, type CompanyId, type RouteContract } from '@commonplace/contracts';
import { assertCallerKind, parseOrRefuse } from '@commonplace/http/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { OperatorPrincipal } from '../auth/authenticators/authenticator.ts';
import type { FindMemberships, Memberships } from './memberships.ts';

/** What the choice of a company depends on. */
export type CompanySelection = {
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
  /** The client's `X-Company-Id`. */
  readonly header: string | string[] | undefined;
  /** How old an answer about memberships may be, where that is less than usual. */
  readonly maxAgeMs?: number | undefined;
};

/** Completes a caller with the company it works in. */
export type SelectCompany = (
  holder: AgentCaller | OperatorPrincipal,
  choice: CompanySelection,
) => Promise<AgentCaller | OperatorCaller>;

/**
 * Makes the company selection: an agent's company is its own, an operator's are its memberships,
 * narrowed to the one that `X-Company-Id` names. Entities and paths are judged by the services.
 */
export const createCompanySelector = (findMemberships: FindMemberships): SelectCompany => {
  const remember = createCallerCache();
  return async (holder, choice) => {
    const named = namedCompany(choice.header);
    if ('agentId' in holder) {
      return named === null || named === holder.companyId ? holder : rejectCompany(holder, choice);
    }
    if (named === null && !needsCompanies(choice.contract)) {
      return { ...holder, selectedCompanyId: null, companies: null };
    }
    const memberships = await findMemberships(holder, {
      companyId: named ?? companyOfPath(choice),
      maxAgeMs: choice.maxAgeMs,
    });
    if (named !== null && !memberships.grants.some((grant) => grant.companyId === named)) {
      // Not remembered: there are more companies to name than memory, and the local operator never ends.
      return rejectCompany(callerOf(holder, memberships, named), choice);
    }
    return remember(holder, memberships, named);
  };
};

const namedCompany = (header: CompanySelection['header']): CompanyId | null => {
  if (header === undefined) {
    return null;
  }
  const parsed = companyId.safeParse(header);
  if (!parsed.success) {
    throw new AppError('malformed_header', 'X-Company-Id must be one UUID.');
  }
  return parsed.data;
};

const companyOfPath = ({ params }: CompanySelection): CompanyId | null =>
  companyId.safeParse(params['companyId']).data ?? null;

/** Sessions and passwords work while the agents service, which knows the memberships, is away. */
const needsCompanies = ({ service, access }: RouteContract): boolean =>
  service !== 'auth' || access.kind === 'company';

/** 403, unless the order of judgement has something to say before: the path, the kind of caller. */
const rejectCompany = (caller: AgentCaller | OperatorCaller, choice: CompanySelection): never => {
  const { contract, params } = choice;
  if (contract.params) {
    parseOrRefuse(contract.params, params, 'path');
  }
  assertCallerKind(contract.access, caller);
  throw new AppError('cross_company');
};

const callerOf = (
  holder: OperatorPrincipal,
  { grants, isComplete }: Memberships,
  selectedCompanyId: CompanyId | null,
): OperatorCaller => {
  if (selectedCompanyId !== null) {
    const companies = grants.filter((grant) => grant.companyId === selectedCompanyId);
    return { ...holder, selectedCompanyId, companies };
  }
  return { ...holder, selectedCompanyId, companies: isComplete ? grants : null };
};

/**
 * The same session, memberships and selection give the same object, so that the identity signed for
 * it serves many requests. It is forgotten with the cache entries it was made of.
 */
const createCallerCache = () => {
  type Remembered = { readonly memberships: Memberships; readonly caller: OperatorCaller };
  const memory = new WeakMap<OperatorPrincipal, Map<CompanyId | null, Remembered>>();
  return (holder: OperatorPrincipal, memberships: Memberships, selected: CompanyId | null) => {
    const bySelection = memory.get(holder) ?? new Map<CompanyId | null, Remembered>();
    const known = bySelection.get(selected);
    if (known?.memberships === memberships) {
      return known.caller;
    }
    const caller = callerOf(holder, memberships, selected);
    memory.set(holder, bySelection.set(selected, { memberships, caller }));
    return caller;
  };
};
