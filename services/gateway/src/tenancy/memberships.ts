import { listMembershipsContract, type CompanyId } from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http/core';
import type { CompanyGrant } from '@commonplace/identity';
import type { OperatorPrincipal } from '../auth/authenticators/authenticator.ts';
import type { Lookup } from '../auth/verification/coalesced-lookups.ts';
import type { Verifiable, VerificationCache } from '../auth/verification/cache.ts';

/** The companies an operator may enter. */
export type Memberships = Verifiable & {
  readonly grants: readonly CompanyGrant[];
  /** False: there are more than an identity can carry, so one has to be named. */
  readonly isComplete: boolean;
};

export type FindMemberships = (
  operator: OperatorPrincipal,
  question: {
    /** The company the request is about, when it says so. */
    readonly companyId: CompanyId | null;
    readonly maxAgeMs?: number | undefined;
  },
) => Promise<Memberships>;

/** More do not fit into a signed identity. */
const grantsMax = 100;

const none: Memberships = { grants: [], isComplete: true, expiresAtMs: Infinity, ids: [] };

/**
 * Makes the look-up of memberships. A list too long to carry is asked again for the one company. And
 * no company is called foreign on the word of a remembered list: it may have been made since.
 */
export const createMembershipFinder = (
  cache: VerificationCache<Memberships>,
  agents: ServiceClient,
): FindMemberships => {
  const lookUp = (
    { operatorId, isLocal }: OperatorPrincipal,
    companyId: CompanyId | null,
  ): Lookup<Memberships> => ({
    key: `${operatorId} ${companyId ?? ''}`,
    address: null,
    send: async () => {
      const { memberships, isComplete } = await agents(listMembershipsContract, {
        operatorId,
        isLocal,
        limit: grantsMax,
        ...(companyId === null ? {} : { companyId }),
      });
      const grants = memberships.map(({ companyId, role, companyStatus }) => ({
        companyId,
        role,
        companyStatus,
      }));
      const ids = [operatorId, ...grants.map((grant) => grant.companyId)];
      return { grants, isComplete, expiresAtMs: Infinity, ids };
    },
  });

  return async (operator, { companyId, maxAgeMs }) => {
    const all = (await cache.find({ ...lookUp(operator, null), maxAgeMs })) ?? none;
    if (companyId === null || (all.isComplete && hasGrant(all, companyId))) {
      return all;
    }
    const one = lookUp(operator, companyId);
    const remembered = all.isComplete ? null : await cache.find({ ...one, maxAgeMs });
    const isKnown = remembered !== null && hasGrant(remembered, companyId);
    return isKnown ? remembered : ((await cache.findFresh(one)) ?? none);
  };
};

const hasGrant = ({ grants }: Memberships, companyId: CompanyId): boolean =>
  grants.some((grant) => grant.companyId === companyId);
