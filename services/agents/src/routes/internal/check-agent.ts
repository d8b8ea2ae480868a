import type { AgentId, RunId } from '@commonplace/contracts/core';
import { checkAgentContract } from '@commonplace/contracts/internal';
import { lookUpInCompany, runGlobal } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { isLivingKey } from '../../policy/is-living-key.ts';
import { findAgentState } from '../../queries/find-agent-state.ts';
import { findKey } from '../../queries/find-key.ts';
import { verifyRun } from '../../queries/verify-run.ts';

type CheckDeps = Pick<Deps, 'db' | 'clock'>;

export const checkAgentRoute = (deps: CheckDeps) =>
  defineRoute(checkAgentContract, async ({ body: { companyId, agentId, keyId, runId } }) => {
    const [state, isKeyAlive] = await lookUpInCompany(deps.db, companyId, (tx) =>
      Promise.all([
        findAgentState(tx, agentId),
        keyId === undefined ? true : isAlive(findKey(tx, agentId, keyId), deps.clock()),
      ]),
    );
    const isRunAlive = runId === undefined || (await isOwnRun(deps, { agentId, runId }));
    return reply(200, { agent: isKeyAlive && isRunAlive ? state : null });
  });

const isAlive = async (found: ReturnType<typeof findKey>, now: Date): Promise<boolean> => {
  const key = await found;
  return key !== null && isLivingKey(key, now);
};

const isOwnRun = async (
  { db, clock }: CheckDeps,
  { agentId, runId }: { readonly agentId: AgentId; readonly runId: RunId },
): Promise<boolean> =>
  (await runGlobal(db, (tx) => verifyRun(tx, runId, clock())))?.agentId === agentId;
