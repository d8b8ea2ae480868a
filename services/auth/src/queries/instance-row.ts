import type { OperatorId } from '@commonplace/contracts/core';

/** The one row of `auth.instance`. */
export type InstanceRow = {
  /** Null: nobody has set this installation up. */
  readonly first_operator_id: OperatorId | null;
  readonly setup_token_digest: string | null;
  readonly local_memberships_adopted_at: Date | null;
};
