import type { AgentId, CompanyId, RunId } from '@commonplace/contracts/core';
import { lookup, type Db } from '@commonplace/db';
import { LRUCache } from 'lru-cache';
import { findRun } from '../queries/runs.ts';

/** Runs remembered per process. */
const entriesMax = 10_000;

/**
 * Creates the lookup of the agent of a company's run; null: it has no such run. A run that was found is remembered: it never
 * changes its agent, and whether it still runs is up to the route.
 */
export const createAgentOfRun = (lookups: Db) => {
  const known = new LRUCache<string, AgentId>({ max: entriesMax });
  return async (companyId: CompanyId, runId: string): Promise<AgentId | null> => {
    const key = `${companyId} ${runId}`;
    const remembered = known.get(key);
    if (remembered) {
      return remembered;
    }
    const run = await lookup(lookups, companyId, (tx) => findRun(tx, runId as RunId));
    if (run) {
      known.set(key, run.agentId);
    }
    return run?.agentId ?? null;
  };
};
