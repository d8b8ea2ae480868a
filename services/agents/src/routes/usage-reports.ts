import { listUsageReportsContract, reportUsageContract } from '@commonplace/contracts/agents';
import { AppError } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { readRun } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentExceeded, type StoredLimit } from '../present/budgets.ts';
import { presentReport } from '../present/usage-reports.ts';
import { listReports } from '../queries/usage-reports.ts';

/** A report beyond a limit, or after the end of its run, is committed before its 409 is sent. */
export const reportUsageRoute = ({ bookReport }: Pick<Deps, 'bookReport'>) =>
  defineRoute(reportUsageContract, async ({ params, body, caller, company, work }) => {
    const { runId } = params;
    const report = await bookReport(company.id, { runId, body, caller, recheck: work.recheck });
    if (report.outcome !== 'booked') {
      throw report.exceeded === null
        ? new AppError('run_finished', 'The run has ended; this report is listed, and not booked.')
        : presentExceeded(report.exceeded as StoredLimit, report.outcome);
    }
    return reply(200, presentReport(report));
  });

const reportsCursor = pageCursor('usage-reports', z.tuple([z.iso.datetime(), z.string().max(64)]));

/** Lists what a run has reported, those reports included that were not booked. */
export const listUsageReportsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listUsageReportsContract, async ({ params: { runId }, query, company }) => {
    const ofRun = { ...query, runId };
    const page = { after: reportsCursor.read(ofRun), limit: query.limit };
    const rows = await read(db, company.id, async (tx) => {
      const reports = await listReports(tx, runId, page);
      await (reports.length === 0 && readRun(tx, runId));
      return reports;
    });
    const { items, nextCursor } = reportsCursor.page(ofRun, rows, (row) => [
      row.at.toISOString(),
      row.mutationId,
    ]);
    return reply(200, { items: items.map(presentReport), nextCursor });
  });
