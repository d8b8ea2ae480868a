import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import type pg from 'pg';
import { runSyncTask } from '../load/tasks.ts';
import type { Product } from '../system/product.ts';
import { explainWhile } from './explain.ts';
import { measureOperations, noteOperationNames } from './operations.ts';

const file = join(import.meta.dirname, '../../../../docs/performance/plans.txt');
const heading =
  "Plans of the notes service's statements, written by auto_explain during `pnpm bench --only plans`.";
const separator = `\n\n${'-'.repeat(80)}\n\n`;

/** Large pushes and pulls use other statements than small ones. */
const bulk = { notes: 1_000, batch: 500 };

/**
 * Writes the plans of all hot statements in this company into docs/performance/plans.txt: reads, writes, lists,
 * searches, deltas, links, titles, activity, and large pushes and pulls.
 */
export const writePlans = async (
  { url, dataDir }: Product,
  client: pg.Client,
  company: CompanyWorld,
): Promise<void> => {
  const sync = { url, headers: bearer(company.key), ...bulk };
  const plans = await explainWhile({ client, dataDir }, async () => {
    await measureOperations({ url, client, company, seconds: 1 }, noteOperationNames);
    await runSyncTask({ what: 'push', ...sync });
    await runSyncTask({ what: 'pull', ...sync });
  });
  const blocks = plans.map(({ statement, plan }) => `${shortened(statement)}\n\n${plan}`);
  writeFileSync(file, `${heading}\n\n${blocks.join(separator)}\n`);
};

const shortened = (statement: string): string =>
  statement.length > 300 ? `${statement.slice(0, 297)}...` : statement;
