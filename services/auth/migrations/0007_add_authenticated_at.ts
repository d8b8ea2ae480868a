/**
 * breaking: no
 *
 * When the operator of a session last proved who they are: by signing in, or by doing so again in the session.
 * Null in sessions of the release before, which began with a sign-in.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table auth.sessions add column if not exists authenticated_at timestamptz');
};
