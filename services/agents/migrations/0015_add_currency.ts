/**
 * breaking: no
 *
 * The currency in which a company counts. Amounts are stored as before, in the minor unit; they are never
 * converted. The functions that list companies return it, under new names: a function cannot get another column,
 * and processes of the release before call the old ones.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(
    `alter table agents.companies add column if not exists currency text not null default 'USD'`,
  );
  await db.raw(`
    create or replace function agents.list_companies_of_operator(
      p_operator_id uuid, p_after_name text, p_after_id uuid, p_limit integer
    )
    returns table (
      company_id uuid, name text, status text, currency text, role text,
      created_at timestamptz, updated_at timestamptz
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select c.company_id, c.name, c.status, c.currency, m.role, c.created_at::timestamptz,
          c.updated_at::timestamptz
        from agents.memberships m
        join agents.companies c on c.company_id = m.company_id
        where m.operator_id = p_operator_id
          and (p_after_name is null or (c.name, c.company_id) > (p_after_name, p_after_id))
        order by c.name, c.company_id
        limit p_limit;
    end
    $$`);
  await db.raw(`
    create or replace function agents.list_all_companies(
      p_after_name text, p_after_id uuid, p_limit integer
    )
    returns table (
      company_id uuid, name text, status text, currency text,
      created_at timestamptz, updated_at timestamptz
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select c.company_id, c.name, c.status, c.currency, c.created_at::timestamptz,
          c.updated_at::timestamptz
        from agents.companies c
        where (c.name, c.company_id)
          > (coalesce(p_after_name, ''), coalesce(p_after_id, '${nilUuid}'))
        order by c.name, c.company_id
        limit p_limit;
    end
    $$`);
};

/** Sorts before every id. */
const nilUuid = '00000000-0000-0000-0000-000000000000';
