import { withClient } from '../baselines/bare-tables.ts';
import { untilRow } from './until-row.ts';

/** A background job counts how often words occur; before it has, a search looks up every word of its query. */
export const untilStatistics = (databaseUrl: string, companyId: string): Promise<void> =>
  withClient(databaseUrl, (client) =>
    untilRow(client, {
      statement:
        'select from notes.search_statistics s where s.company_id = $1 and s.generation > 0',
      companyId,
      secondsMax: 240,
      failure: 'The statistics of words were not made',
    }),
  );
