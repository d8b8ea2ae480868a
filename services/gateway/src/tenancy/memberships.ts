import {
  listMembershipsContract,
  type CompanyId,
  type GrantedMembership,
  type Membership,
} from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http/core';
import type { CompanyMembership } from '@commonplace/identity';
import type { OperatorPrincipal } from '../auth/authenticators/authenticator.ts';
import type { Verifiable, VerificationCache } from '../auth/verification/cache.ts';
import type { Lookup } from '../auth/verification/coalesced-lookups.ts';

/** The companies that an operator is a member of. */
export type Memberships = Verifiable & {
  readonly companies: readonly CompanyMembership[];
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
const companiesMax = 100;
const companiesBytesMax = 8_192;

const none: Memberships = { companies: [], isComplete: true, expiresAtMs: Infinity, ids: [] };

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
        limit: companiesMax,
        ...(companyId === null ? {} : { companyId }),
      });
      const companies = [
        ...memberships.map(plainMembership),
        ...grantedMemberships.map(withGrants),
      ];
      const ids = [operatorId, ...companies.map((company) => company.companyId)];
      const fits = grantedMemberships.length === 0 || bytesOf(companies) <= companiesBytesMax;
      return { companies, isComplete: isComplete && fits, expiresAtMs: Infinity, ids };
    },
  });

  return async (operator, { companyId, maxAgeMs }) => {
    const all = (await cache.find({ ...lookupOf(operator, null), maxAgeMs })) ?? none;
    if (companyId === null || (all.isComplete && includesCompany(all, companyId))) {
      return all;
    }
    const lookup = lookupOf(operator, companyId);
    const cached = all.isComplete ? null : await cache.find({ ...lookup, maxAgeMs });
    const isMember = cached !== null && includesCompany(cached, companyId);
    return isMember ? cached : ((await cache.findFresh(lookup)) ?? none);
  };
};

const plainMembership = ({ companyId, role, companyStatus }: Membership): CompanyMembership => ({
  companyId,
  role,
  companyStatus,
});

const withGrants = ({ grants, ...membership }: GrantedMembership): CompanyMembership => ({
  ...plainMembership(membership),
  grants,
});

const bytesOf = (companies: readonly CompanyMembership[]): number =>
  Buffer.byteLength(JSON.stringify(companies));

const includesCompany = ({ companies }: Memberships, companyId: CompanyId): boolean =>
  companies.some((company) => company.companyId === companyId);
