import { withClient } from '../baselines/bare-tables.ts';
import { untilRow } from './until-row.ts';

/** Indexing begins after a second without writes and would run beside the next measurement. */
export const untilIndexed = (databaseUrl: string, companyId: string): Promise<void> =>
  withClient(databaseUrl, (client) =>
    untilRow(client, {
      statement: `select from notes.search_progress p join notes.company_feed f using (company_id)
        where company_id = $1 and p.change_no = f.head`,
      companyId,
      secondsMax: 60,
      failure: 'The notes were not indexed within a minute',
    }),
  );
