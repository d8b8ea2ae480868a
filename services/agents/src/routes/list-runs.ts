import { listRunsContract } from '@commonplace/contracts/agents';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { assertAgentExists } from '../commands/assert-agent-exists.ts';
import type { Deps } from '../deps.ts';
import { presentRun } from '../present/present-run.ts';
import { listRuns as readRuns } from '../queries/list-runs.ts';

const cursor = pageCursor('runs', z.tuple([z.iso.datetime(), z.uuid()]));

export const listRunsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listRunsContract, async ({ params: { agentId }, query, company }) => {
    const page = { after: cursor.read(query), limit: query.limit };
    const rows = await readInCompany(db, company.id, (tx) => readRuns(tx, agentId, page));
    if (rows.length === 0) {
      await assertAgentExists(db, company.id, agentId);
    }
    const now = clock();
    const { items, nextCursor } = cursor.page(query, rows, (row) => [
      row.startedAt.toISOString(),
      row.id,
    ]);
    return reply(200, { items: items.map((row) => presentRun(row, now)), nextCursor });
  });
