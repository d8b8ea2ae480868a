import { verifyRunContract } from '@commonplace/contracts/internal';
import { runGlobal } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { verifyRun } from '../../queries/runs.ts';

export const verifyRunRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(verifyRunContract, async ({ body }) => {
    const found = await runGlobal(db, (tx) => verifyRun(tx, body.runId, clock()));
    const run = found && { ...found, tokenExpiresAt: found.tokenExpiresAt.toISOString() };
    return reply(200, { run });
  });
