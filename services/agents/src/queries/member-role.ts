import type { HeldGrants, Role } from '@commonplace/contracts/core';

/**
 * How a viewer who reaches some notes only is stored: releases before know no such role and reject the member, who
 * would see all notes there as a `viewer`.
 */
const grantedViewer = 'granted_viewer';

/** The role of a membership, as SQL; the table alias is `m`. */
export const memberRole = `case when m.role = '${grantedViewer}' then 'viewer' else m.role end`;

/**
 * The grants of a membership, as SQL; null: all notes. Those of another role, left by an earlier release, do not count. The
 * table alias is `m`.
 */
export const memberGrants = `case when m.role = '${grantedViewer}' then coalesce(m.grants, '[]'::json) end`;

/** The role to store. */
export const storedRole = (role: Role, grants: HeldGrants): string =>
  grants === null ? role : grantedViewer;
