import type { Role } from './caller-roles.ts';
import type { ProcessName } from './process-names.ts';
import type { Scope } from './scopes.ts';

/** The entities that path parameters address, by the names of the parameters. */
const entityOf = {
  agentId: 'agent',
  keyId: 'key',
  connectionId: 'connection',
  runId: 'run',
  id: 'note',
  copyId: 'note',
  jobId: 'job',
  undoId: 'undo',
  proposalId: 'proposal',
} as const;

type EntityParam = keyof typeof entityOf;

const entitiesOf = <Name extends EntityParam>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, entityOf[name]])) as {
    readonly [Each in Name]: (typeof entityOf)[Each];
  };

/**
 * Operators from this role on, and no agents: in the company that owns the entities of these path parameters, in path
 * order; without any, in the company of the path.
 */
export const byOperators = <const Weakest extends Role, const Name extends EntityParam = never>(
  operators: Weakest,
  ...names: readonly Name[]
) =>
  ({
    kind: 'company',
    company: names.length === 0 ? 'path' : 'entity',
    agents: 'never',
    operators,
    ...(names.length === 0 ? {} : { entities: entitiesOf(names) }),
  }) as const;

/** Viewers, and agents with this scope in their own company; the company as for `byOperators`. */
export const byReaders = <const Name extends EntityParam = never>(
  scope: Scope,
  ...names: readonly Name[]
) =>
  ({
    kind: 'company',
    company: names.length === 0 ? 'path' : 'entity',
    agents: 'own_company',
    scope,
    operators: 'viewer',
    ...(names.length === 0 ? {} : { entities: entitiesOf(names) }),
  }) as const;

/**
 * Viewers, and agents that may read notes, where the route keeps to the folders that they were granted. The company is the owner
 * of the entities, or without any the selected one.
 */
export const byNoteReaders = <const Name extends EntityParam = never>(...names: readonly Name[]) =>
  ({
    kind: 'company',
    company: names.length === 0 ? 'selected' : 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
    ...(names.length === 0 ? {} : { entities: entitiesOf(names) }),
  }) as const;

/** As `byNoteReaders`, for those who may write. */
export const byNoteWriters = <const Name extends EntityParam = never>(...names: readonly Name[]) =>
  ({ ...byNoteReaders(...names), scope: 'notes:write', operators: 'operator' }) as const;

/** Operators, and the agent of the run in the path, with its key or the token of the run. */
export const byRunWriters = {
  kind: 'company',
  company: 'entity',
  agents: 'itself_by_key_or_run',
  scope: 'runs:write',
  operators: 'operator',
  entities: { runId: 'run' },
} as const;

/** Other services, over an internal route. */
export const byServices = (...callers: readonly ProcessName[]) =>
  ({ kind: 'service', callers }) as const;

/** Operators who are signed in, about themselves. */
export const byOneself = { kind: 'caller', agents: false } as const;

/** Administrators of the instance. */
export const byAdministrators = { kind: 'administrator' } as const;
