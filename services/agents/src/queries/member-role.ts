import type { HeldGrants, Role } from '@commonplace/contracts/core';

/**
 * How a viewer who reaches some notes only is stored: releases before know no such role and reject the member, who
 * would see all notes there as a `viewer`.
 */
const grantedViewer = 'granted_viewer';

/** The role of a membership or an invite with this alias, as SQL. */
export const roleOf = (row: string): string =>
  `case when ${row}.role = '${grantedViewer}' then 'viewer' else ${row}.role end`;

/** The grants that go with that role; null: all notes. */
export const grantsOf = (row: string): string =>
  `case when ${row}.role = '${grantedViewer}' then coalesce(${row}.grants, '[]'::json) end`;

/** The role of a membership, as SQL; the table alias is `m`. */
export const memberRole = roleOf('m');

/**
 * The grants of a membership, as SQL; null: all notes. Those of another role, left by an earlier release, do not count. The
 * table alias is `m`.
 */
export const memberGrants = grantsOf('m');

/** The role to store. */
export const storedRole = (role: Role, grants: HeldGrants): string =>
  grants === null ? role : grantedViewer;
