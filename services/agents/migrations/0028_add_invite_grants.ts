/**
 * breaking: no
 *
 * Who is invited as a viewer may reach the notes of some folders only. Such an invite has the role `granted_viewer`, as the
 * member that it makes: the release before refuses it, where a `viewer` would see all notes.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table agents.invites add column if not exists grants json');
  // Citus takes no constraint with another command.
  await db.raw('alter table agents.invites drop constraint if exists invites_role_check');
  await db.raw(`
    alter table agents.invites add constraint invites_role_check
      check (role in ('viewer', 'granted_viewer', 'operator', 'owner'))`);
};
