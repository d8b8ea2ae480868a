import type { Member } from '@commonplace/contracts/agents';
import type { MemberRow } from '../queries/member-row.ts';

/** A member as the API shows it. */
export const presentMember = (row: MemberRow): Member => ({
  ...row,
  since: row.since.toISOString(),
});
