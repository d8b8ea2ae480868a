import { asChild } from '../child.ts';
import { withClient } from './bare-tables.ts';

type Input = {
  readonly databaseUrl: string;
  /** The company whose notes are read. */
  readonly companyId: string;
  readonly notes: number;
  readonly batch: number;
};

/**
 * Reads the notes of a company page by page over one connection, in index order (see `inIndexOrder`).
 * Returns rows per second, the maximum of
 * driver and PostgreSQL.
 */
asChild(({ databaseUrl, companyId, notes, batch }: Input) =>
  withClient(databaseUrl, async (client) => {
    await client.query('set enable_sort = off');
    const text = `select * from notes.notes where company_id = $1 and change_no > $2
      order by change_no limit ${batch}`;
    const startedAt = performance.now();
    let after = 0;
    for (let read = 0; read < notes; read += batch) {
      const page = await client.query<{ change_no: string }>({
        name: 'page',
        text,
        values: [companyId, after],
      });
      after = Number(page.rows.at(-1)?.change_no);
    }
    return (notes / (performance.now() - startedAt)) * 1000;
  }),
);
