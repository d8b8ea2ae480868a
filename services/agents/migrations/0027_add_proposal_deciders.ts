/**
 * breaking: no
 *
 * Who decides about proposals of agents, beside operators and owners.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    alter table agents.companies add column if not exists proposals_decided_by text not null
    default 'operators'`);
};
