import {
  assertGrantsHeld,
  assertHeld,
  holdScopes,
  intersectGrants,
  listScopes,
  simplifyGrants,
  type HeldGrants,
  type HeldScopes,
  type Scope,
} from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';

/**
 * The scopes of a key or run that a caller creates: the requested ones, or all of its own. Throws 403 for a
 * requested scope that its own credential lacks.
 */
export const grantScopes = (
  caller: AgentCaller | OperatorCaller,
  requested: readonly Scope[] | undefined,
): HeldScopes => {
  const held = scopesOf(caller);
  if (requested === undefined) {
    return held;
  }
  for (const each of requested) {
    assertHeld(held, each);
  }
  return holdScopes(requested);
};

/** Operators have all scopes. */
const scopesOf = (caller: AgentCaller | OperatorCaller): HeldScopes =>
  caller.kind === 'agent' ? caller.scopes : null;

/**
 * The grants of a key or run that a caller creates: the requested ones, or its own. Throws 403 for more than its own
 * credential reaches.
 */
export const grantFolders = (
  caller: AgentCaller | OperatorCaller,
  requested: HeldGrants | undefined,
): HeldGrants => {
  const held = grantsOf(caller);
  if (requested === undefined) {
    return held;
  }
  const wanted = simplifyGrants(requested);
  assertGrantsHeld(held, wanted);
  return wanted;
};

/** Those who may create credentials reach all notes, unless they are agents. */
export const grantsOf = (caller: AgentCaller | OperatorCaller): HeldGrants =>
  caller.kind === 'agent' ? (caller.grants ?? null) : null;

/**
 * Members, agents and their credentials as a caller sees them: of the folders that they reach, it learns of those
 * that it reaches itself. Names of folders are as secret as the notes in them. Access to all
 * notes names no folder, so it is shown as it is.
 */
export const showGrants =
  ({ grants: held }: { readonly grants: HeldGrants }) =>
  <Row extends { readonly grants: HeldGrants }>(row: Row): Row =>
    held === null || row.grants === null
      ? row
      : { ...row, grants: intersectGrants(row.grants, held) };

/** An agent as it sees itself: with what its credential reaches. */
export const showOwnGrants = <Row extends { readonly grants: HeldGrants }>(
  { grants: held }: { readonly grants: HeldGrants },
  row: Row,
): Row => ({ ...row, grants: intersectGrants(row.grants, held) });

/** An entry of the audit log as a caller sees it: those who reach some folders only do not see the grants of others. */
export const showActivity = <Row extends { readonly detail: Readonly<Record<string, unknown>> }>(
  { grants: held }: { readonly grants: HeldGrants },
  row: Row,
): Row => {
  if (held === null) {
    return row;
  }
  const { grants: _, ...detail } = row.detail;
  return { ...row, detail };
};

type Renewal = {
  readonly caller: AgentCaller | OperatorCaller;
  /** The scopes of the run. */
  readonly held: HeldScopes;
  readonly requested: readonly Scope[] | undefined;
};

/**
 * The scopes of a run after its renewal: those it has, or the requested part of them. Throws 403 for a scope
 * that the run or the credential of the caller lacks, because the new token would have it.
 */
export const renewScopes = ({ caller, held, requested }: Renewal): HeldScopes => {
  const kept = requested ?? listScopes(held);
  if (caller.kind === 'agent' && caller.runId !== null) {
    // The run may have been narrowed since its token was verified.
    assertHeld(held, 'runs:write');
  }
  for (const each of kept) {
    assertHeld(scopesOf(caller), each);
    assertHeld(held, each);
  }
  return requested === undefined ? held : holdScopes(requested);
};
