/**
 * breaking: no
 *
 * Who must still have an account, and where: of connections that have not expired. Expired ones are never revoked, so the
 * earlier functions found them for ever. Processes of the previous release use those; drop them in a later release.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.operators_with_active_connections(
      p_after uuid, p_now timestamptz, p_limit integer
    )
    returns table (operator_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct n.created_by
        from agents.connections n
        where n.revoked_at is null and n.created_by > p_after
          and (n.expires_at is null or n.expires_at > p_now)
        order by n.created_by
        limit p_limit;
    end
    $$`);
  await db.raw(`
    create or replace function agents.companies_with_active_connections_of_operator(
      p_operator_id uuid, p_before_epoch integer, p_now timestamptz, p_limit integer
    )
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct n.company_id
        from agents.connections n
        where n.revoked_at is null and n.created_by = p_operator_id
          and (n.expires_at is null or n.expires_at > p_now)
          and (p_before_epoch is null or coalesce(n.access_epoch, 0) < p_before_epoch)
        limit p_limit;
    end
    $$`);
};
