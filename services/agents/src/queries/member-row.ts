import type { OperatorId, Role } from '@commonplace/contracts/core';

export type MemberRow = {
  readonly operatorId: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly since: Date;
};

/** The columns of a membership as `MemberRow` names them. */
export const memberColumns = 'operator_id as "operatorId", email, name, role, since';
