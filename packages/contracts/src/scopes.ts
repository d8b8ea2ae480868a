import { z } from 'zod';
import { AppError } from './app-error.ts';

/** What a credential of an agent may do, in the order in which lists of scopes are returned. */
export const scopes = ['notes:read', 'notes:write', 'agents:read', 'runs:write'] as const;
export const scope = z.enum(scopes);
export type Scope = z.infer<typeof scope>;

/** What a connection may do at most: hosts read and write, and start no runs. */
export const connectionScopes = ['notes:read', 'notes:write', 'agents:read'] as const;
export const connectionScope = z.enum(connectionScopes);

/** The paths that access tokens of connections are issued for (RFC 8707); each token is for one. */
export const connectionResource = z.enum(['/connect/mcp', '/mcp']);
export type ConnectionResource = z.infer<typeof connectionResource>;

/** Scopes in a request body; duplicates do no harm. */
export const requestedScopes = z
  .array(scope)
  .min(1)
  .max(scopes.length)
  .meta({ description: 'Fewer than all scopes; by default all of the caller' });

/** Scopes in a response. */
export const scopeList = z.array(scope).meta({ description: 'What the credential may do' });

/** The scopes of a credential; null: all, including those of later releases. */
export type HeldScopes = readonly Scope[] | null;

/** Whether a credential with the scopes `held` has the scope `needed`. */
export const hasScope = (held: HeldScopes, needed: Scope): boolean =>
  held === null || held.includes(needed);

/** Throws 403 for a missing scope, with the challenge of RFC 6750 section 3. */
export const assertHeld = (held: HeldScopes, needed: Scope): void => {
  if (!hasScope(held, needed)) {
    throw new AppError('insufficient_scope', `The credential lacks the scope ${needed}.`, {
      extensions: { scope: needed },
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
    });
  }
};

/** The scopes of a credential as a list, in the order of `scopes`. */
export const listScopes = (held: HeldScopes): Scope[] =>
  scopes.filter((each) => hasScope(held, each));

/** The scopes of a credential from a list: one that names every scope means all, and is stored as that. */
export const holdScopes = (named: readonly Scope[]): HeldScopes =>
  scopes.every((each) => named.includes(each)) ? null : listScopes(named);

/** The scopes that both have. */
export const intersectScopes = (one: HeldScopes, other: HeldScopes): HeldScopes =>
  one === null ? other : one.filter((each) => hasScope(other, each));
