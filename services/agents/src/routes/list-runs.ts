import { listRunsContract } from '@commonplace/contracts/agents';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { assertAgentExists } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentRun } from '../present/credentials.ts';
import { listRuns } from '../queries/run-lists.ts';

const cursor = pageCursor('runs', z.tuple([z.iso.datetime(), z.uuid()]));

export const listRunsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listRunsContract, async ({ params: { agentId }, query, company }) => {
    const page = { after: cursor.read(query), limit: query.limit };
    const rows = await readInCompany(db, company.id, (tx) => listRuns(tx, agentId, page));
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
