import type { Schema } from '@commonplace/client';

export type Scope = Schema<'ApiKey'>['scopes'][number];

/** What each scope allows. */
export const scopeLabels: Readonly<Record<Scope, string>> = {
  'notes:read': 'Read notes',
  'notes:write': 'Write notes',
  'agents:read': 'Read agents and runs',
  'runs:write': 'Start and finish runs',
};

/** Every scope that there is. */
export const allScopes = Object.keys(scopeLabels) as Scope[];

/** The scopes of a key in a few words. */
export const describeScopes = (scopes: readonly Scope[]): string =>
  scopes.length === allScopes.length ? 'all' : scopes.join(', ');
