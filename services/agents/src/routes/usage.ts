import { getUsageContract, usageRowsMax, type Usage } from '@commonplace/contracts/agents';
import { AppError, listDays, type AgentId } from '@commonplace/contracts/core';
import { read, type CompanyTx } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import {
  presentUsageByAgent,
  presentUsageByDay,
  presentUsageByModel,
  presentUsageByRun,
} from '../present/usage.ts';
import { writeUsage } from '../present/write-usage.ts';
import { listUsageByModel, listUsageByRun } from '../queries/usage-by-model.ts';
import {
  findDayBeyond,
  listUsageByAgent,
  listUsageByDay,
  listUsageOfAgent,
  type DayRange,
} from '../queries/usage.ts';

/** Reads sums of runs and of what they reported, as JSON or as CSV. */
export const getUsageRoute = ({ db, clock, usageRows }: Pick<Deps, 'db' | 'clock' | 'usageRows'>) =>
  defineRoute(getUsageContract, async ({ query: given, company, accepts }) => {
    const { from, to, by, format } = given;
    assertApplies(given);
    const query = { ...given, limit: given.limit ?? limitDefault };
    const usage = await read(db, company.id, async (tx) => {
      const isOfAll = by !== 'model' && query.agentId === undefined;
      await (isOfAll && assertBounded(tx, query, usageRows ?? usageRowsMax));
      return readers[by](tx, query, clock());
    });
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

type UsageQuery = DayRange & {
  readonly agentId?: AgentId | undefined;
  readonly by: 'day' | 'agent' | 'model' | 'run';
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** How many agents, models or runs a request without a limit gets. */
const limitDefault = 50;

type GivenQuery = Pick<UsageQuery, 'by' | 'cursor' | 'agentId'> & {
  readonly limit?: number | undefined;
};

/** Throws an error for a parameter that would have no effect. */
const assertApplies = ({ by, cursor, agentId, limit }: GivenQuery): void => {
  if (by === 'day' && limit !== undefined) {
    throw invalidQuery(
      '/limit',
      'only with `by=agent`, `by=model` or `by=run`: days are all of the range',
    );
  }
  if (by !== 'run' && cursor !== undefined) {
    throw invalidQuery('/cursor', 'only with `by=run`');
  }
  if (by !== 'run' && by !== 'day' && agentId !== undefined) {
    throw invalidQuery('/agentId', 'only with `by=day` or `by=run`');
  }
};

/** Limits what a report reads: a sum for every agent and day of a long range would be millions of rows. */
const assertBounded = async (tx: CompanyTx, range: DayRange, rowsMax: number): Promise<void> => {
  const beyond = await findDayBeyond(tx, range, rowsMax);
  if (beyond !== null) {
    const message = `must be before ${beyond}: from ${range.from} on, the company has more than ${rowsMax} sums of an agent and a day until then`;
    throw invalidQuery('/to', message);
  }
};

const invalidQuery = (path: string, message: string): AppError =>
  new AppError('validation_failed', 'The query is not valid.', { errors: [{ path, message }] });

const runsCursor = pageCursor('usage-by-run', z.tuple([z.iso.datetime(), z.uuid()]));

const readers: Readonly<
  Record<UsageQuery['by'], (tx: CompanyTx, query: UsageQuery, now: Date) => Promise<Usage>>
> = {
  day: async (tx, query) => presentUsageByDay(query, await listDaysOf(tx, query)),
  agent: async (tx, query) => {
    const { rows, total } = await listUsageByAgent(tx, query);
    return presentUsageByAgent(query, rows, total);
  },
  model: async (tx, query) => presentUsageByModel(query, await listUsageByModel(tx, query)),
  run: async (tx, query, now) => {
    const { agentId = null, limit } = query;
    const page = { after: runsCursor.read(query), agentId, limit, now };
    const [days, rows] = await Promise.all([
      listDaysOf(tx, query),
      listUsageByRun(tx, query, page),
    ]);
    const { items, nextCursor } = runsCursor.page(query, rows, (row) => [
      row.startedAt.toISOString(),
      row.id,
    ]);
    return { ...presentUsageByRun(query, items, days), nextCursor };
  },
};

/** The sums by day, of an agent or of all. */
const listDaysOf = (tx: CompanyTx, { agentId, ...range }: UsageQuery) =>
  agentId === undefined
    ? listUsageByDay(tx, range)
    : listUsageOfAgent(tx, listDays(range.from, range.to), agentId);
