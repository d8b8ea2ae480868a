import type { Schema } from '@commonplace/client';

export type Role = Schema<'Member'>['role'];

/** The roles, least first, with what each may do. */
export const roles: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'viewer', label: 'Viewer: read-only access' },
  { value: 'operator', label: 'Operator: manages agents, keys, runs and notes' },
  { value: 'owner', label: 'Owner: also manages members and the company' },
];
