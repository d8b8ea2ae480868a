/**
 * breaking: no
 *
 * The runs of a company are listed, newest first, of whichever agents, and of one status.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(
    'create index runs_by_company on agents.runs (company_id, started_at desc, id desc)',
  );
  await db.raw(
    'create index runs_by_status on agents.runs (company_id, status, started_at desc, id desc)',
  );
};
