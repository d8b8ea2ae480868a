import { bearer, type CompanyWorld } from '@commonplace/e2e';
import type pg from 'pg';
import { runSyncTask } from '../load/run-sync-task.ts';
import type { Product } from '../system/product.ts';
import { writeSection } from '../write-section.ts';
import { explainWhile } from './explain.ts';
import { measureOperations } from './operations.ts';

/** Large pushes and pulls have statements of their own. */
const bulk = { notes: 1_000, batch: 500 };

/**
 * Writes the plan of every hot statement into docs/performance.md, as the server runs it in this company: reads,
 * writes, lists, searches, deltas, and large pushes and pulls.
 */
export const writePlans = async (
  { url, dataDir }: Product,
  client: pg.Client,
  company: CompanyWorld,
): Promise<void> => {
  const sync = { url, headers: bearer(company.key), ...bulk };
  const plans = await explainWhile({ client, dataDir }, async () => {
    await measureOperations({ url, client, company, seconds: 1 });
    await runSyncTask({ what: 'push', ...sync });
    await runSyncTask({ what: 'pull', ...sync });
  });
  const blocks = plans.map(
    ({ statement, plan }) => `\`${shortened(statement)}\`\n\n\`\`\`\n${plan}\n\`\`\``,
  );
  writeSection('plans', blocks.join('\n\n'));
};

const shortened = (statement: string): string =>
  statement.length > 300 ? `${statement.slice(0, 297)}...` : statement;
