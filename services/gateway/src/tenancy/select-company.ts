import { AppError, companyId, type CompanyId, type RouteContract } from '@commonplace/contracts';
import { assertCallerKind, parseOrThrow } from '@commonplace/http/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { OperatorPrincipal } from '../auth/authenticators/authenticator.ts';
import type { FindMemberships, Memberships } from './memberships.ts';

/** What the company of a request depends on. */
export type CompanySelection = {
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
  /** The client's `X-Company-Id`. */
  readonly header: string | string[] | undefined;
  /** The maximum age of cached memberships, where that is less than the default. */
  readonly maxAgeMs?: number | undefined;
};

/** Returns the caller with its company or companies; 403 when it has no access to the named one. */
export type SelectCompany = (
  principal: AgentCaller | OperatorPrincipal,
  selection: CompanySelection,
) => Promise<AgentCaller | OperatorCaller>;

/**
 * Creates the company selection. An agent has one company. An operator has its memberships, narrowed to the
 * company of `X-Company-Id`. The services check the entities and paths of a request.
 */
export const createCompanySelector = (findMemberships: FindMemberships): SelectCompany => {
  const cachedCaller = createCallerCache();
  return async (principal, selection) => {
    const named = namedCompany(selection.header);
    if ('agentId' in principal) {
      return named === null || named === principal.companyId
        ? principal
        : rejectCompany(principal, selection);
    }
    if (named === null && !needsCompanies(selection.contract)) {
      return { ...principal, selectedCompanyId: null, companies: null };
    }
    const memberships = await findMemberships(principal, {
      companyId: named ?? companyOfPath(selection),
      maxAgeMs: selection.maxAgeMs,
    });
    if (named !== null && !memberships.companies.some((company) => company.companyId === named)) {
      // Not cached: the names are unbounded, and the local operator never expires.
      return rejectCompany(callerOf(principal, memberships, named), selection);
    }
    return cachedCaller(principal, memberships, named);
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

/** Routes of sessions and passwords need no memberships, so they work without the agents service. */
const needsCompanies = ({ service, access }: RouteContract): boolean =>
  service !== 'auth' || access.kind === 'company';

/** Throws 403, unless an earlier check fails: the path (400) or the kind of caller (403). */
const rejectCompany = (
  caller: AgentCaller | OperatorCaller,
  { contract, params }: CompanySelection,
): never => {
  if (contract.params) {
    parseOrThrow(contract.params, params, 'path');
  }
  assertCallerKind(contract.access, caller);
  throw new AppError('cross_company');
};

const callerOf = (
  principal: OperatorPrincipal,
  memberships: Memberships,
  selectedCompanyId: CompanyId | null,
): OperatorCaller => {
  if (selectedCompanyId !== null) {
    const companies = memberships.companies.filter(
      (company) => company.companyId === selectedCompanyId,
    );
    return { ...principal, selectedCompanyId, companies };
  }
  return {
    ...principal,
    selectedCompanyId,
    companies: memberships.isComplete ? memberships.companies : null,
  };
};

/**
 * Returns the same object for the same session, memberships and company, so that its signed identity is
 * reused. An entry is dropped with the cache entries that it was made from.
 */
const createCallerCache = () => {
  type CachedCaller = { readonly memberships: Memberships; readonly caller: OperatorCaller };
  const callers = new WeakMap<OperatorPrincipal, Map<CompanyId | null, CachedCaller>>();
  return (principal: OperatorPrincipal, memberships: Memberships, selected: CompanyId | null) => {
    const bySelection = callers.get(principal) ?? new Map<CompanyId | null, CachedCaller>();
    const cached = bySelection.get(selected);
    if (cached?.memberships === memberships) {
      return cached.caller;
    }
    const caller = callerOf(principal, memberships, selected);
    callers.set(principal, bySelection.set(selected, { memberships, caller }));
    return caller;
  };
};
