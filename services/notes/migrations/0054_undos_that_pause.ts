/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Whether an undo was to pause the agent: a later request that is to pause it is not the same as one that left it alone. Those
 * of the release before count as such that left it alone, so that nothing written beside them is missed. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(
    'alter table notes.undos add column if not exists is_pausing boolean not null default false',
  );
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
