import { getUsageContract, type Usage } from '@commonplace/contracts/agents';
import { readInCompany, type CompanyTx } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentUsageByAgent, presentUsageByDay, writeUsage } from '../present/usage.ts';
import { listUsageByAgent, listUsageByDay } from '../queries/usage.ts';

/** Reads the sums of ended runs, as JSON or as CSV. */
export const getUsageRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getUsageContract, async ({ query, company, accepts }) => {
    const { from, to, by, limit, format } = query;
    const range = { from, to };
    const usage = await readInCompany(db, company.id, (tx) =>
      by === 'day' ? readByDay(tx, range) : readByAgent(tx, { ...range, limit }),
    );
    const headers = { Vary: 'Accept' };
    const type = format ?? accepts('application/json', 'text/csv');
    if (type === 'csv' || type === 'text/csv') {
      const name = `usage-by-${by}-${from}-${to}.csv`;
      const disposition = { 'Content-Disposition': `attachment; filename="${name}"` };
      const csv = writeUsage(usage, by);
      return { status: 200 as const, csv, headers: { ...headers, ...disposition } };
    }
    return reply(200, usage, headers);
  });

type DayRange = { readonly from: string; readonly to: string };

const readByDay = async (tx: CompanyTx, range: DayRange): Promise<Usage> =>
  presentUsageByDay(range, await listUsageByDay(tx, range));

const readByAgent = async (
  tx: CompanyTx,
  range: DayRange & { readonly limit: number },
): Promise<Usage> => {
  const { rows, total } = await listUsageByAgent(tx, range);
  return presentUsageByAgent(range, rows, total);
};
