/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The companies with changes that are not in the catalog, other than recent ones: those without a catalog, and
 * those whose notes from before it are still being added. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create function notes.catalogs_to_backfill()
      returns table (company_id uuid, pending bigint)
      language sql stable security definer set search_path = ''
      as $$
        select f.company_id, coalesce(p.backfill_to - p.backfilled_no, f.head)
        from notes.company_feed f
        left join notes.catalog_progress p on p.company_id = f.company_id
        where coalesce(p.backfill_to - p.backfilled_no, f.head) > 0
      $$
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
