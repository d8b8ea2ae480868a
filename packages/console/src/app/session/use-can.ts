import type { Schema } from '@commonplace/client';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { companiesQuery, memberRoleQuery } from '../../api/company-queries.ts';
import { sessionQuery } from '../../api/session-queries.ts';

type Role = Schema<'SessionMembership'>['role'];

const rank: Readonly<Record<Role, number>> = { viewer: 1, operator: 2, owner: 3 };

/** The permissions of the signed-in operator, in the company of the address and on the instance. */
export type Permissions = {
  readonly role: Role | null;
  /** Notes, agents, keys and runs; never in an archived company. */
  readonly write: boolean;
  /** Members, invites and the company's name; never in an archived company. */
  readonly manage: boolean;
  /** Archiving and restoring the company. */
  readonly own: boolean;
  /** Creating companies and managing operators. */
  readonly administrate: boolean;
};

/** Which actions the console offers. The services check permissions regardless. */
export const useCan = (): Permissions => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: companies } = useSuspenseQuery(companiesQuery);
  const { companyId } = useParams({ strict: false });
  const listed = listedRoleIn(session, companyId);
  const { data: unlisted } = useQuery({
    ...memberRoleQuery(companyId ?? '', session.operator.id),
    enabled: companyId !== undefined && listed === undefined,
  });
  // Until the role is known, the console offers what a viewer may do.
  const role = companyId === undefined ? null : (listed ?? unlisted ?? 'viewer');
  const isArchived = companies.find(({ id }) => id === companyId)?.status === 'archived';
  const isAtLeast = (least: Role) => role !== null && rank[role] >= rank[least];
  return {
    role,
    write: isAtLeast('operator') && !isArchived,
    manage: isAtLeast('owner') && !isArchived,
    own: isAtLeast('owner'),
    administrate: session.operator.isAdmin,
  };
};

/** The role according to the session, which lists the first 200 memberships by name. */
export const listedRoleIn = (
  { mode, memberships }: Schema<'CurrentSession'>,
  companyId: string | undefined,
): Role | undefined =>
  // The local board operator owns every company.
  mode === 'local_trusted'
    ? 'owner'
    : memberships.find((membership) => membership.companyId === companyId)?.role;
