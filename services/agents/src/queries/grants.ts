import type { HeldGrants } from '@commonplace/contracts/core';

/** Grants as a parameter; the driver would send a list as an array of PostgreSQL. */
export const jsonOfGrants = (grants: HeldGrants): string | null => grants && JSON.stringify(grants);
