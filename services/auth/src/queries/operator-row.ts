import type { OperatorId } from '@commonplace/contracts/core';

/** A row of `auth.operators`. */
export type OperatorRow = {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string;
  readonly pepper_id: string;
  readonly is_admin: boolean;
  readonly disabled_at: Date | null;
  readonly session_epoch: number;
  readonly created_at: Date;
  readonly last_sign_in_at: Date | null;
};
