/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** Without a transaction, so that proposals are made while the indexes are built. */
export const config = { transaction: false };

/**
 * The open proposals of a company by age, past which many superseded ones are no longer read, and the superseded ones, which
 * end after a day. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  // A restore is one transaction.
  const how = knex.isTransaction ? '' : 'concurrently';
  for (const { name, of } of indexes) {
    // A start that was killed leaves an invalid index.
    await knex.raw(`drop index if exists notes.${name}`);
    await knex.raw(`create index ${how} ${name} on notes.proposals ${of}`);
  }
  await replaceDueProposals(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

const indexes = [
  { name: 'open_proposals_by_age', of: `(company_id, created_at, id) where state = 'open'` },
  { name: 'superseded_proposals', of: `(decided_at) where state = 'superseded'` },
];

/** A company may come twice. */
const replaceDueProposals = (knex: Migrator) =>
  knex.raw(`
    create or replace function notes.companies_with_due_proposals(due timestamptz) returns setof uuid
      language plpgsql stable security definer set search_path = ''
      as $$
        begin
          return query
            select distinct p.company_id from notes.proposals p
            where p.expires_at <= due and (p.content is not null or p.revision is null);
          return query
            select distinct p.company_id from notes.proposals p
            where p.state = 'superseded' and p.decided_at <= due - interval '1 day';
        end
      $$
  `);
