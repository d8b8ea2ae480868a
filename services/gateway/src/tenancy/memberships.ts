import {
  listMembershipsContract,
  type CompanyId,
  type GrantedMembership,
  type Membership,
} from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http/core';
import type { CompanyGrant } from '@commonplace/identity';
import type { OperatorPrincipal } from '../auth/authenticators/authenticator.ts';
import type { Verifiable, VerificationCache } from '../auth/verification/cache.ts';
import type { Lookup } from '../auth/verification/coalesced-lookups.ts';

/** The companies that an operator is a member of. */
export type Memberships = Verifiable & {
  readonly grants: readonly CompanyGrant[];
  /** False when there are more than an identity can carry; then the request must name one. */
  readonly isComplete: boolean;
};

export type FindMemberships = (
  operator: OperatorPrincipal,
  options: {
    /** The company that the request names, if any. */
    readonly companyId: CompanyId | null;
    readonly maxAgeMs?: number | undefined;
  },
) => Promise<Memberships>;

/** The companies that fit into a signed identity, and the bytes of their JSON where viewers reach some folders only. */
const grantsMax = 100;
const grantsBytesMax = 8_192;

const none: Memberships = { grants: [], isComplete: true, expiresAtMs: Infinity, ids: [] };

/**
 * Creates the lookup of memberships. When the list is too long for an identity, the named company is looked up
 * alone. A company that is missing from a cached list is looked up again, because it may be new.
 */
export const createMembershipFinder = (
  cache: VerificationCache<Memberships>,
  agents: ServiceClient,
): FindMemberships => {
  const lookupOf = (
    { operatorId, isLocal }: OperatorPrincipal,
    companyId: CompanyId | null,
  ): Lookup<Memberships> => ({
    key: `${operatorId} ${companyId ?? ''}`,
    address: null,
    send: async () => {
      const {
        memberships,
        grantedMemberships = [],
        isComplete,
      } = await agents(listMembershipsContract, {
        operatorId,
        isLocal,
        limit: grantsMax,
        ...(companyId === null ? {} : { companyId }),
      });
      const grants = [...memberships.map(grantOf), ...grantedMemberships.map(grantOfNotes)];
      const ids = [operatorId, ...grants.map((grant) => grant.companyId)];
      const fits = grantedMemberships.length === 0 || bytesOf(grants) <= grantsBytesMax;
      return { grants, isComplete: isComplete && fits, expiresAtMs: Infinity, ids };
    },
  });

  return async (operator, { companyId, maxAgeMs }) => {
    const all = (await cache.find({ ...lookupOf(operator, null), maxAgeMs })) ?? none;
    if (companyId === null || (all.isComplete && hasGrant(all, companyId))) {
      return all;
    }
    const lookup = lookupOf(operator, companyId);
    const cached = all.isComplete ? null : await cache.find({ ...lookup, maxAgeMs });
    const isMember = cached !== null && hasGrant(cached, companyId);
    return isMember ? cached : ((await cache.findFresh(lookup)) ?? none);
  };
};

const grantOf = ({ companyId, role, companyStatus }: Membership): CompanyGrant => ({
  companyId,
  role,
  companyStatus,
});

const grantOfNotes = ({ grants, ...membership }: GrantedMembership): CompanyGrant => ({
  ...grantOf(membership),
  grants,
});

const bytesOf = (grants: readonly CompanyGrant[]): number =>
  Buffer.byteLength(JSON.stringify(grants));

const hasGrant = ({ grants }: Memberships, companyId: CompanyId): boolean =>
  grants.some((grant) => grant.companyId === companyId);
