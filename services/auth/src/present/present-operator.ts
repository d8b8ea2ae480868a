import type { Operator, SignedInOperator } from '@commonplace/contracts/auth';
import type { OperatorRow } from '../queries/operator-row.ts';

/** An account as administrators see it. */
export const presentOperator = (row: OperatorRow): Operator => ({
  ...presentSignedIn(row),
  disabled: row.disabled_at !== null,
  createdAt: row.created_at.toISOString(),
  lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
});

/** An account as its own operator sees it. */
export const presentSignedIn = (row: OperatorRow): SignedInOperator => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isAdmin: row.is_admin,
});
