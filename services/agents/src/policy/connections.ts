import { activeConnectionsMax } from '@commonplace/contracts/agents';
import {
  AppError,
  localOperatorId,
  roleAllows,
  type DeploymentMode,
  type OperatorId,
  type Role,
  type Scope,
} from '@commonplace/contracts/core';

/** What viewers may consent to, and what is left of a connection whose operator became one. */
const viewerScopes: readonly Scope[] = ['notes:read'];

/** The scopes of a connection that its operator's present role allows. */
export const narrowByRole = (scopes: readonly Scope[], role: Role): Scope[] =>
  scopes.filter((each) => roleAllows(role, 'operator') || viewerScopes.includes(each));

/** Throws 403 for scopes that the role may not consent to. */
export const assertMayConsent = (role: Role, scopes: readonly Scope[]): void => {
  if (narrowByRole(scopes, role).length < scopes.length) {
    throw new AppError('role_insufficient', 'Viewers may consent to notes:read only.');
  }
};

/** Of an agent: a viewer, who may do little else, must not use up the limit that all operators share. */
const viewerConnectionsMax = 5;

/** Throws 409 if an agent has as many active connections as it may, or a viewer has as many of it. */
export const assertConnectionsLeft = (
  role: Role,
  { all, own }: { readonly all: number; readonly own: number },
): void => {
  if (all >= activeConnectionsMax) {
    throw new AppError('connection_limit');
  }
  if (!roleAllows(role, 'operator') && own >= viewerConnectionsMax) {
    throw new AppError(
      'connection_limit',
      `Viewers have at most ${viewerConnectionsMax} active connections of an agent. Revoke one of yours.`,
    );
  }
};

/** Whether an operator is the local board operator of local trusted mode, an owner without an account. */
export const isLocalOperator = (mode: DeploymentMode, operatorId: OperatorId): boolean =>
  mode === 'local_trusted' && operatorId === localOperatorId;
