/**
 * breaking: no
 *
 * An accepted invite stays until it would have expired, with the operator who accepted it: when the answer
 * was lost on its way, the same request again is answered the same, and not with 401.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table agents.invites add column accepted_by uuid');
};

export const down = async (db: Database): Promise<void> => {
  await db.raw('alter table agents.invites drop column accepted_by');
};
