import { listCompanyRunsContract } from '@commonplace/contracts/agents';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentRun } from '../present/credentials.ts';
import { countCompanyRuns, listCompanyRuns } from '../queries/run-lists.ts';

const cursor = pageCursor('company-runs', z.tuple([z.iso.datetime(), z.uuid()]));

export const listCompanyRunsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listCompanyRunsContract, async ({ query, company }) => {
    const now = clock();
    const page = { after: cursor.read(query), limit: query.limit, status: query.status, now };
    const [rows, running] = await readInCompany(db, company.id, (tx) =>
      Promise.all([listCompanyRuns(tx, page), countCompanyRuns(tx, now)]),
    );
    const { items, nextCursor } = cursor.page(query, rows, (row) => [
      row.startedAt.toISOString(),
      row.id,
    ]);
    return reply(200, { items: items.map((row) => presentRun(row, now)), nextCursor, running });
  });
