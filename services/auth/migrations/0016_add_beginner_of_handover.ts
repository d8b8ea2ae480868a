/**
 * breaking: no
 *
 * Who began a handover, so that it ends when that administrator loses their access; null: the shell of the server.
 * Of handovers that exist the audit log says it, which has an entry of the same time. Those of an account that is no
 * active administrator any more end here. No foreign key: accounts of administrators are never deleted.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table auth.account_handovers add column if not exists begun_by uuid');
  await db.raw(`
    update auth.account_handovers h set begun_by = a.actor_id
      from auth.instance_activity a
     where a.operator_id = h.operator_id and a.at = h.begun_at
       and a.action = 'handover.begun' and a.actor_kind = 'operator'
       and h.begun_by is null
  `);
  await db.raw(`
    delete from auth.account_handovers h
     using auth.operators o
     where o.id = h.begun_by and (o.disabled_at is not null or not o.is_admin)
  `);
};
