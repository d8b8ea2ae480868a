import {
  AppError,
  reachOfGrants,
  type AgentId,
  type CompanyAccess,
  type CompanyId,
  type EntityKind,
  type ServiceName,
} from '@commonplace/contracts/core';
import type { AgentCaller, CompanyMembership, OperatorCaller } from '@commonplace/identity';
import type { CompanyScope } from './route-types.ts';

/** Find the company that owns an id; null when the id does not exist. */
export type Owners = Readonly<
  Partial<Record<EntityKind, (id: string) => Promise<CompanyId | null>>>
>;

/** Throws 403 unless the caller sees an entity of its company, which need not exist. For kinds that are in folders. */
export type AssertVisible = Readonly<
  Partial<Record<EntityKind, (company: CompanyScope, id: string) => Promise<void>>>
>;

/** Finds the agent of a run of the company; null when the company has no such run. */
export type FindRunAgent = (companyId: CompanyId, runId: string) => Promise<AgentId | null>;

/**
 * Check whether an entity of the company belongs to the parent that the path names, for kinds with a parent in
 * their paths.
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

const rejectCompany = (): never => {
  throw new AppError('cross_company');
};

/** A company with what the caller sees of it. */
export const companyScope = (scope: Omit<CompanyScope, 'reach'>): CompanyScope => ({
  ...scope,
  reach: reachOfGrants(scope.id, scope.grants),
});

const scopeOfAgent = ({
  access,
  caller,
  params,
}: CompanyResolutionInput & { caller: AgentCaller }): CompanyScope =>
  access.company === 'path' && params['companyId'] !== caller.companyId
    ? rejectCompany()
    : companyScope({
        id: caller.companyId,
        role: null,
        status: 'active',
        grants: caller.grants ?? null,
      });

const scopeOfMembership = (membership: CompanyMembership | undefined): CompanyScope =>
  membership
    ? companyScope({
        id: membership.companyId,
        role: membership.role,
        status: membership.companyStatus,
        grants: membership.grants ?? null,
      })
    : rejectCompany();

/** Lists, creations and syncs need one company: the named one, or the only one there is. */
const selectedMembership = (companies: readonly CompanyMembership[]): CompanyMembership => {
  const [only, ...others] = companies;
  if (!only || others.length > 0) {
    throw new AppError('company_required');
  }
  return only;
};

const membershipOf = (companies: readonly CompanyMembership[], companyId: unknown) =>
  companies.find((membership) => membership.companyId === companyId);

/** Without a selected company, an operator works in the company that owns the entity of the path. */
const scopeOfOwner = async (
  { access, params, owners }: CompanyResolutionInput,
  companies: readonly CompanyMembership[],
): Promise<CompanyScope> => {
  for (const [name, kind] of Object.entries(access.entities ?? {})) {
    const owner = await ownerOf(owners, kind, params[name]);
    if (owner) {
      return scopeOfMembership(membershipOf(companies, owner));
    }
    break;
  }
  if (access.company === 'entity_or_selected') {
    return scopeOfMembership(selectedMembership(companies));
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
    throw new Error(`No owner lookup is registered for ${String(kind)}`);
  }
  return find(String(id));
};

/**
 * Finds the company of a request. For agents, and for operators with a selected company, this costs no query: the
 * entity is assumed to be theirs, and `assertEntityOwnership` chooses 403 or 404 when it is not found.
 */
export const resolveCompany = async (input: CompanyResolutionInput): Promise<CompanyScope> => {
  const { access, caller, params } = input;
  if (caller.kind === 'agent') {
    return scopeOfAgent({ ...input, caller });
  }
  const { companies, selectedCompanyId } = caller;
  if (companies === null) {
    throw new AppError('company_required');
  }
  if (access.company === 'path') {
    const isOtherSelected = selectedCompanyId !== null && selectedCompanyId !== params['companyId'];
    return isOtherSelected
      ? rejectCompany()
      : scopeOfMembership(membershipOf(companies, params['companyId']));
  }
  if (selectedCompanyId !== null) {
    return scopeOfMembership(membershipOf(companies, selectedCompanyId));
  }
  return access.company === 'selected'
    ? scopeOfMembership(selectedMembership(companies))
    : scopeOfOwner(input, companies);
};

/**
 * Checks the entities of the path. It takes precedence over every other rejection: an entity of another company is
 * 403; one that does not exist (unless the route may create it) or belongs to another parent is 404. Foreign
 * callers learn nothing from roles, validation or state.
 */
export const assertEntityOwnership = async (
  input: CompanyResolutionInput,
  company: CompanyScope,
): Promise<void> => {
  const { access, params, owners, parts } = input;
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
 * Keeps a caller with grants to routes that observe them, and to the entities it sees (403). Runs before anything of the
 * request is examined, and costs others nothing.
 */
export const assertGranted = async (
  { service, access }: { readonly service: ServiceName; readonly access: CompanyAccess },
  company: CompanyScope,
  {
    params,
    assertVisible,
  }: {
    readonly params: Readonly<Record<string, unknown>>;
    readonly assertVisible: AssertVisible;
  },
): Promise<void> => {
  if (company.grants === null) {
    return;
  }
  if (service === 'notes' && access.grants !== 'kept') {
    throw new AppError('folder_not_granted', 'Credentials with grants may not do this.');
  }
  for (const [name, kind] of Object.entries(access.entities ?? {})) {
    await (kind && assertVisible[kind])?.(company, String(params[name]));
  }
};

/**
 * An agent with its API key may use its own runs only; a run token was compared with the path before. Part of the
 * role check, before query and body.
 */
export const assertOwnRun = async (
  { access, caller, params, agentOfRun }: CompanyResolutionInput,
  company: CompanyScope,
): Promise<void> => {
  const isNeeded =
    access.agents === 'itself_by_key_or_run' && caller.kind === 'agent' && caller.runId === null;
  if (!isNeeded) {
    return;
  }
  const owner = await agentOfRun?.(company.id, String(params['runId']));
  if (!owner) {
    throw new AppError('not_found');
  }
  if (owner !== caller.agentId) {
    throw new AppError('not_own_agent');
  }
};
