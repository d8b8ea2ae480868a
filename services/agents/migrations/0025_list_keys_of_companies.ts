/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The keys of a company in the order of their creation, and which key replaced another: after a rotation two keys have one
 * name. Null: none, or the release before rotated it. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw('alter table agents.keys add column if not exists replaced_by uuid');
  await knex.raw(`
    create index if not exists keys_by_creation
      on agents.keys (company_id, created_at desc, id desc)
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
