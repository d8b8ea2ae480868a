import {
  agentId,
  companyId,
  keyId,
  localOperatorId,
  newId,
  operatorId,
  type CompanyId,
  type ProcessName,
  type Role,
} from '@commonplace/contracts';
import type {
  AgentCaller,
  CompanyMembership,
  OperatorCaller,
  ServiceCaller,
} from '@commonplace/identity';

/** An agent by API key, of a company of its own unless `overrides` say otherwise. */
export const agentCaller = (overrides: Partial<AgentCaller> = {}): AgentCaller => ({
  kind: 'agent',
  agentId: agentId.parse(newId()),
  agentName: 'Ada',
  agentStatus: 'active',
  companyId: companyId.parse(newId()),
  keyId: overrides.runId ? null : keyId.parse(newId()),
  runId: null,
  scopes: null,
  expiresAt: null,
  ...overrides,
});

/** A membership in an active company. */
export const grant = (
  id: CompanyId,
  role: Role = 'owner',
  overrides: Partial<CompanyMembership> = {},
): CompanyMembership => ({
  companyId: id,
  role,
  companyStatus: 'active',
  ...overrides,
});

/** An operator by session; a member of nothing unless `overrides.companies` says otherwise. */
export const operatorCaller = (overrides: Partial<OperatorCaller> = {}): OperatorCaller => {
  const id = operatorId.parse(newId());
  return {
    kind: 'operator',
    operatorId: id,
    name: 'Olga Operator',
    email: `${id}@example.org`,
    isAdmin: false,
    isLocal: false,
    sessionId: null,
    selectedCompanyId: null,
    companies: [],
    ...overrides,
  };
};

/** The local board operator of local trusted mode. */
export const localOperatorCaller = (overrides: Partial<OperatorCaller> = {}): OperatorCaller =>
  operatorCaller({
    operatorId: localOperatorId,
    name: 'Local board',
    email: 'board@localhost',
    isAdmin: true,
    isLocal: true,
    ...overrides,
  });

/** The gateway or a service itself, for internal routes. */
export const serviceCaller = (service: ProcessName): ServiceCaller => ({
  kind: 'service',
  service,
});
