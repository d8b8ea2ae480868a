import type { SignIn } from '@commonplace/contracts/auth';
import type { SignInRow } from '../queries/insert-sign-in.ts';

/** An entry of the sign-in history. */
export const presentSignIn = (row: SignInRow): SignIn => ({
  id: row.id,
  at: row.at.toISOString(),
  operatorId: row.operator_id,
  email: row.email,
  method: row.method,
  outcome: row.outcome,
  address: row.address,
  userAgent: row.user_agent,
});
