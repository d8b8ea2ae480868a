/**
 * breaking: no
 *
 * A key or run that names every scope holds all scopes, which has one representation: null.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  for (const table of ['keys', 'runs']) {
    await db.raw(`
      update agents.${table} set scopes = null
      where scopes @> array['notes:read', 'notes:write', 'agents:read', 'runs:write']`);
  }
};
