import { z } from 'zod';

/** What a credential of an agent may do, in the order in which lists of scopes are returned. */
export const scopes = ['notes:read', 'notes:write', 'agents:read', 'runs:write'] as const;
export const scope = z.enum(scopes);
export type Scope = z.infer<typeof scope>;

/** The scopes of a credential; null: all, including those of later releases. */
export type HeldScopes = readonly Scope[] | null;

/** Whether a credential with the scopes `held` has the scope `needed`. */
export const hasScope = (held: HeldScopes, needed: Scope): boolean =>
  held === null || held.includes(needed);

/** The scopes of a credential as a list, in the order of `scopes`. */
export const listScopes = (held: HeldScopes): Scope[] =>
  scopes.filter((each) => hasScope(held, each));

/** The scopes that both have. */
export const intersectScopes = (one: HeldScopes, other: HeldScopes): HeldScopes =>
  one === null ? other : one.filter((each) => hasScope(other, each));
