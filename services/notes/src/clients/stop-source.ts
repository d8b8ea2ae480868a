import { stopSourceContract } from '@commonplace/contracts/internal';
import type { AgentId, CompanyId, OperatorId, UndoId } from '@commonplace/contracts/core';
import type { UndoSource } from '@commonplace/contracts/notes';
import type { ServiceClient } from '@commonplace/http';

/** The undo before which an agent is stopped. */
type SourceStop = {
  readonly companyId: CompanyId;
  readonly undoId: UndoId;
  readonly operator: {
    readonly operatorId: OperatorId;
    readonly name: string;
    readonly isLocal: boolean;
  };
  readonly source: UndoSource;
  readonly pause: boolean;
  readonly dryRun: boolean;
};

/**
 * Pauses the agent of a run, a key or a connection, and records the undo in the audit log. A dry run only learns
 * whose source it is, and whether that agent is active. Throws 404 and 403 where the company has no such source.
 */
export type StopSource = (stop: SourceStop) => Promise<{
  readonly agentId: AgentId | null;
  readonly isPaused: boolean;
  readonly isActive?: boolean | undefined;
}>;

/** Stops sources at the agents service. */
export const createStopSource =
  (callAgents: ServiceClient): StopSource =>
  ({ source: { runId, keyId, connectionId, agentId, undoId }, ...stop }) =>
    callAgents(stopSourceContract, {
      ...stop,
      source: {
        ...(runId === undefined ? {} : { runId }),
        ...(keyId === undefined ? {} : { keyId }),
        ...(connectionId === undefined ? {} : { connectionId }),
        ...(agentId === undefined ? {} : { agentId }),
        ...(undoId === undefined ? {} : { undoId }),
      },
    });
