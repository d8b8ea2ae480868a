import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../baselines/bare-tables.ts';

const secondsMax = 240;

/** Statistics of words are made in the background; without them a search looks for every word. */
export const untilStatistics = (databaseUrl: string, companyId: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    for (let second = 0; second < secondsMax; second += 1) {
      const { rowCount } = await client.query(
        'select from notes.search_statistics s where s.company_id = $1 and s.generation > 0',
        [companyId],
      );
      if (rowCount === 1) {
        return;
      }
      await sleep(1_000);
    }
    throw new Error('The statistics of words were not made');
  });
