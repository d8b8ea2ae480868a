import {
  AppError,
  type AgentId,
  type CompanyAccess,
  type CompanyId,
  type EntityKind,
} from '@commonplace/contracts/core';
import type { AgentCaller, CompanyGrant, OperatorCaller } from '@commonplace/identity';
import type { CompanyScope } from './route-types.ts';

/** Says which company owns an id, or null when the id exists nowhere. */
export type Owners = Readonly<
  Partial<Record<EntityKind, (id: string) => Promise<CompanyId | null>>>
>;

/** Says whose a run of the company is, or null when the company has no such run. */
export type FindRunAgent = (companyId: CompanyId, runId: string) => Promise<AgentId | null>;

/**
 * Says whether a row of the company belongs to the rows that the path names before it, for kinds that have a
 * parent in their paths.
 */
export type Parts = Readonly<
  Partial<
    Record<
      EntityKind,
      (companyId: CompanyId, params: Readonly<Record<string, unknown>>) => Promise<boolean>
    >
  >
>;

export type CompanyResolutionInput = {
  readonly access: CompanyAccess;
  readonly caller: AgentCaller | OperatorCaller;
  readonly params: Readonly<Record<string, unknown>>;
  readonly owners: Owners;
  readonly parts: Parts;
  readonly agentOfRun: FindRunAgent | undefined;
};

const refuse = (): never => {
  throw new AppError('cross_company');
};

const scopeOfAgent = ({
  access,
  caller,
  params,
}: CompanyResolutionInput & { caller: AgentCaller }): CompanyScope =>
  access.company === 'path' && params['companyId'] !== caller.companyId
    ? refuse()
    : { id: caller.companyId, role: null, status: 'active' };

const scopeOfGrant = (grant: CompanyGrant | undefined): CompanyScope =>
  grant ? { id: grant.companyId, role: grant.role, status: grant.companyStatus } : refuse();

/** Lists, creations and syncs need one company: the named one, or the only one there is. */
const selectedGrant = (companies: readonly CompanyGrant[]): CompanyGrant => {
  const [only, ...others] = companies;
  if (!only || others.length > 0) {
    throw new AppError('company_required');
  }
  return only;
};

const grantOf = (companies: readonly CompanyGrant[], companyId: unknown) =>
  companies.find((grant) => grant.companyId === companyId);

/** An operator who named no company works in the one that owns what the path addresses. */
const scopeOfOwner = async (
  { access, params, owners }: CompanyResolutionInput,
  companies: readonly CompanyGrant[],
): Promise<CompanyScope> => {
  for (const [name, kind] of Object.entries(access.entities ?? {})) {
    const owner = await ownerOf(owners, kind, params[name]);
    if (owner) {
      return scopeOfGrant(grantOf(companies, owner));
    }
    break;
  }
  if (access.company === 'entity_or_selected') {
    return scopeOfGrant(selectedGrant(companies));
  }
  throw new AppError('not_found');
};

const ownerOf = (
  owners: Owners,
  kind: EntityKind | undefined,
  id: unknown,
): Promise<CompanyId | null> => {
  const find = kind && owners[kind];
  if (!find) {
    throw new Error(`No owner look-up is registered for ${String(kind)}`);
  }
  return find(String(id));
};

/**
 * Finds the company a request works in. For agents and operators who named a company this costs
 * nothing: the entity is presumed to be theirs, and `assertEntityOwnership` tells 403 from 404 on a miss.
 */
export const resolveCompany = async (question: CompanyResolutionInput): Promise<CompanyScope> => {
  const { access, caller, params } = question;
  if (caller.kind === 'agent') {
    return scopeOfAgent({ ...question, caller });
  }
  const { companies, selectedCompanyId } = caller;
  if (companies === null) {
    throw new AppError('company_required');
  }
  if (access.company === 'path') {
    const isNarrowedElsewhere =
      selectedCompanyId !== null && selectedCompanyId !== params['companyId'];
    return isNarrowedElsewhere ? refuse() : scopeOfGrant(grantOf(companies, params['companyId']));
  }
  if (selectedCompanyId !== null) {
    return scopeOfGrant(grantOf(companies, selectedCompanyId));
  }
  return access.company === 'selected'
    ? scopeOfGrant(selectedGrant(companies))
    : scopeOfOwner(question, companies);
};

/**
 * Judges the entities of the path before any other refusal is spoken: one of another company is 403,
 * one that exists nowhere 404 (unless the route may create it), and so is a part of another parent. Foreign callers so learn nothing
 * from roles, validation or state.
 */
export const assertEntityOwnership = async (
  question: CompanyResolutionInput,
  company: CompanyScope,
): Promise<void> => {
  const { access, params, owners, parts } = question;
  const entities = Object.entries(access.entities ?? {});
  for (const [name, kind] of entities) {
    const owner = await ownerOf(owners, kind, params[name]);
    if (owner === null && access.company !== 'entity_or_selected') {
      throw new AppError('not_found');
    }
    if (owner !== null && owner !== company.id) {
      throw new AppError('cross_company');
    }
  }
  for (const [, kind] of entities) {
    const isPart = kind && parts[kind];
    if (isPart && !(await isPart(company.id, params))) {
      throw new AppError('not_found');
    }
  }
};

/**
 * An agent with its API key touches the runs of itself only. (One with the token of a run was
 * compared with the path already.) Part of the role: judged before query and body.
 */
export const assertOwnRun = async (
  { access, caller, params, agentOfRun }: CompanyResolutionInput,
  company: CompanyScope,
): Promise<void> => {
  const isAsked =
    access.agents === 'itself_by_key_or_run' && caller.kind === 'agent' && caller.runId === null;
  if (!isAsked) {
    return;
  }
  const holder = await agentOfRun?.(company.id, String(params['runId']));
  if (!holder) {
    throw new AppError('not_found');
  }
  if (holder !== caller.agentId) {
    throw new AppError('not_own_agent');
  }
};
