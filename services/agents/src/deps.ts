import type { KeyObject } from 'node:crypto';
import type {
  AgentId,
  CompanyId,
  DeploymentMode,
  OperatorId,
  RunId,
  SessionId,
} from '@commonplace/contracts/core';
import type { ReportUsageBody } from '@commonplace/contracts/agents';
import type { KeyedFairLimiter, KeyedLimiter } from '@commonplace/concurrency';
import type { Db } from '@commonplace/db';
import type { Logger, OnResponse } from '@commonplace/http';
import type { AgentCaller, VerifyIdentity } from '@commonplace/identity';
import type { CredentialUse } from './queries/keys.ts';
import type { ReportRow } from './queries/usage-reports.ts';

export type RunTokenRequest = {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly companyId: CompanyId;
  readonly ttlSeconds: number;
};

/** Requests a run JWT from the auth service; throws 503 when it is unavailable. */
type IssueRunToken = (
  request: RunTokenRequest,
  requestId: string,
) => Promise<{ readonly token: string; readonly expiresAt: string }>;

export type UsageBuffer = {
  /** Buffers one use of a credential. */
  readonly record: (use: CredentialUse) => void;
  /** Writes the buffered uses; throws the first error, after it has written what it can. */
  readonly flush: () => Promise<void>;
};

/** What the auth service knows of an operator. */
export type OperatorState = { readonly isEmailVerified: boolean; readonly canSignIn: boolean };

export type OperatorStates = {
  /** Reads the states now, by id; operators that do not exist have none. Throws 503 while auth is unavailable. */
  readonly read: (ids: readonly OperatorId[]) => Promise<ReadonlyMap<string, OperatorState>>;
  /**
   * The same, up to a minute old. While auth is unavailable those that are not known are missing, because a list without
   * them is still useful.
   */
  readonly recall: (ids: readonly OperatorId[]) => Promise<ReadonlyMap<string, OperatorState>>;
};

/** An operator whose state the auth service knows; with a session, that too must be active. */
export type CheckedOperator = { readonly operatorId: OperatorId; readonly sessionId?: SessionId };

/** A report of usage that waits to be booked. */
export type SubmittedReport = {
  readonly runId: RunId;
  readonly body: ReportUsageBody;
  readonly caller: AgentCaller;
  /** Throws if the caller has lost access since. */
  readonly recheck: () => Promise<unknown>;
};

/** Books a report, or finds it booked; resolves after COMMIT. */
export type BookReport = (companyId: CompanyId, report: SubmittedReport) => Promise<ReportRow>;

/** The dependencies of the service. Each route takes the smallest part it needs. */
export type Deps = {
  readonly db: Db;
  /** The same database over connections of its own, for lookups by key: they never wait behind lists and changes. */
  readonly lookups: Db;
  /** Runs the list of a company when it has a slot for it. */
  readonly limitLists: KeyedLimiter<CompanyId>;
  /** Runs a change of a caller when its company has a slot for it. */
  readonly limitChanges: KeyedFairLimiter<CompanyId>;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Called after every response, if metrics are enabled. */
  readonly onResponse?: OnResponse | undefined;
  readonly verifyIdentity: VerifyIdentity;
  readonly mode: DeploymentMode;
  /** The URL under which agents and browsers reach the gateway. */
  readonly baseUrl: string;
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
  readonly runTokenTtlSeconds: number;
  /** The limit of running runs per agent. */
  readonly runningRunsMax: number;
  /** The limit of agents per company, those that are terminated included. */
  readonly agentsMax: number;
  /** The sums that a report of usage reads at most; tests lower it. */
  readonly usageRows?: number | undefined;
  readonly issueRunToken: IssueRunToken;
  /** Requests the state of an operator from the auth service; a disabled operator, or one whose session ended, is inactive. */
  readonly checkOperator: (operator: CheckedOperator) => Promise<{
    readonly isActive: boolean;
    readonly isAdministrator: boolean;
    /** Rises whenever everything that gave access to the account is removed. */
    readonly accessEpoch?: number | undefined;
    readonly hasRecentSignIn?: boolean | undefined;
  }>;
  /** Which operators have a verified email, and which are disabled. */
  readonly operatorStates: OperatorStates;
  readonly keyUsage: UsageBuffer;
  readonly connectionUsage: UsageBuffer;
  readonly bookReport: BookReport;
};
