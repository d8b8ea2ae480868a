import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../baselines/bare-tables.ts';

/** Indexing begins after a second without writes and would run beside the next measurement. */
export const untilIndexed = (databaseUrl: string, companyId: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    for (let attemptsLeft = 600; attemptsLeft > 0; attemptsLeft -= 1) {
      const { rowCount } = await client.query(
        `select from notes.search_progress p join notes.company_feed f using (company_id)
         where company_id = $1 and p.change_no = f.head`,
        [companyId],
      );
      if (rowCount === 1) {
        return;
      }
      await sleep(100);
    }
    throw new Error('The notes were not indexed within a minute');
  });
