/**
 * breaking: no
 *
 * Whoever made an invite must still be an owner when it is accepted. For the invites there are, the audit
 * knows who made them. One that the release before makes while an upgrade is under way has nobody, and
 * cannot be accepted: its owner makes another.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table agents.invites add column invited_by uuid');
  await db.raw(`
    update agents.invites i
    set invited_by = made.actor_id
    from agents.activity made
    where made.company_id = i.company_id and made.entity_id = i.id
      and made.action = 'invite.created' and made.actor_kind = 'operator'
  `);
};

export const down = async (db: Database): Promise<void> => {
  await db.raw('alter table agents.invites drop column invited_by');
};
