import type {
  AgentId,
  AgentStatus,
  CompanyId,
  CompanyStatus,
  ConnectionId,
  HeldScopes,
  KeyId,
  NoteGrant,
  OperatorId,
  ProcessName,
  Role,
  RunId,
  SessionId,
} from '@commonplace/contracts/core';

/** A connection by which an agent calls, and the client that holds it. */
export type CallerConnection = {
  readonly id: ConnectionId;
  readonly client: { readonly name: string; readonly host: string };
};

/**
 * An agent, by API key (`keyId`), by the token of a run (`runId`), or by a connection: exactly one of the three is set.
 */
export type AgentCaller = {
  readonly kind: 'agent';
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentStatus: AgentStatus;
  readonly companyId: CompanyId;
  readonly keyId: KeyId | null;
  readonly runId: RunId | null;
  /** Absent for keys and runs. */
  readonly connection?: CallerConnection;
  /** The permissions of the credential; null: everything an agent may do. */
  readonly scopes: HeldScopes;
  /** The notes that the credential reaches; absent: all. */
  readonly grants?: readonly NoteGrant[];
  /** When the credential ends, ISO time; null: never. */
  readonly expiresAt: string | null;
};

/** The membership of an operator in a company, as the identity carries it. */
export type CompanyMembership = {
  readonly companyId: CompanyId;
  readonly role: Role;
  readonly companyStatus: CompanyStatus;
  /** The notes that a viewer reaches there; absent: all. */
  readonly grants?: readonly NoteGrant[];
};

/** A human, by session, or the local board operator (`isLocal`, no session). */
export type OperatorCaller = {
  readonly kind: 'operator';
  readonly operatorId: OperatorId;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly isLocal: boolean;
  readonly sessionId: SessionId | null;
  /** The company named with `X-Company-Id`; its membership is then the only one in `companies`. */
  readonly selectedCompanyId: CompanyId | null;
  /** Null when there are more than 100 companies and none was named. */
  readonly companies: readonly CompanyMembership[] | null;
};

/** The gateway or a service itself, on internal routes. */
export type ServiceCaller = { readonly kind: 'service'; readonly service: ProcessName };

/** The caller of a request. Behind the gateway nothing sees keys, tokens or cookies, only this. */
export type Caller = AgentCaller | OperatorCaller | ServiceCaller;
