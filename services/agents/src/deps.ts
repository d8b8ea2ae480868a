import type { KeyObject } from 'node:crypto';
import type {
  AgentId,
  CompanyId,
  DeploymentMode,
  OperatorId,
  RunId,
  SessionId,
} from '@commonplace/contracts/core';
import type { Db } from '@commonplace/db';
import type { Logger, OnAnswered } from '@commonplace/http';
import type { VerifyIdentity } from '@commonplace/identity';
import type { KeyUse } from './queries/keys.ts';

export type RunTokenRequest = {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly companyId: CompanyId;
  readonly ttlSeconds: number;
};

/** Asks the auth service for a run JWT; rejects with 503 when it has no answer. */
type IssueRunToken = (
  request: RunTokenRequest,
  requestId: string,
) => Promise<{ readonly token: string; readonly expiresAt: string }>;

export type KeyUsageBuffer = {
  /** Buffers one use of a key. */
  readonly record: (use: KeyUse) => void;
  /** Writes the buffered uses in one statement. */
  readonly flush: () => Promise<void>;
};

/** Everything the service is wired from. A route asks for the smallest part of it. */
export type Deps = {
  readonly db: Db;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Told of every answer, where there are metrics. */
  readonly onAnswered?: OnAnswered | undefined;
  readonly verifyIdentity: VerifyIdentity;
  readonly mode: DeploymentMode;
  /** Where agents and browsers reach the gateway. */
  readonly baseUrl: string;
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
  readonly runTokenTtlSeconds: number;
  /** Runs of one agent that may go on at once. */
  readonly runningRunsMax: number;
  readonly issueRunToken: IssueRunToken;
  /** Asks the auth service what an operator is. One that is disabled, or whose session has ended, is nothing. */
  readonly checkOperator: (operator: {
    readonly operatorId: OperatorId;
    readonly sessionId?: SessionId;
  }) => Promise<{ readonly isActive: boolean; readonly isAdministrator: boolean }>;
  readonly keyUsage: KeyUsageBuffer;
};
