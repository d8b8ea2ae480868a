import type { RouteContract } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { presentedBy } from './authenticate.ts';
import type { Verified } from './authenticators/authenticator.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Exchange } from './exchange.ts';
import type { Gateway } from './gateway.ts';
import type { CompanyChoice } from './select-company.ts';

/** Who sends a request; both null on public routes. */
export type Judged = { readonly verified: Verified; readonly caller: Caller } | Anybody;
type Anybody = { readonly verified: null; readonly caller: null };

export type Judge = {
  /** Credential (401), cross-site (403), rate (429), company (403). */
  readonly first: () => Promise<Judged>;
  /** Credential and company once more, by nothing older than this where it is said; nothing is drawn from the rate. */
  readonly again: (maxAgeMs?: number) => Promise<Judged>;
};

type Case = {
  readonly gateway: Gateway;
  readonly exchange: Exchange;
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
};

const anybody: Anybody = { verified: null, caller: null };

/** Makes the judge of a request. Its headers are read now: they are written anew before it is forwarded. */
export const judgeCaller = ({ gateway, exchange, contract, params }: Case): Judge => {
  const { req, res, facts, address } = exchange;
  const isPublic = contract.access.kind === 'public';
  const presented = presentedBy(req, { address, isStream: contract.deadlineMs === null });
  const choice: CompanyChoice = { contract, params, header: req.headers['x-company-id'] };
  const selectCompany = async (verified: Verified, maxAgeMs?: number): Promise<Judged> => {
    const caller = await gateway.selectCompany(verified.holder, { ...choice, maxAgeMs });
    facts.caller = caller;
    return { verified, caller };
  };

  return {
    first: async () => {
      const verified = isPublic ? null : await gateway.authenticate(presented);
      if (verified) {
        facts.caller = verified.holder;
      }
      refuseCrossSite({
        req,
        via: verified?.via ?? null,
        mode: gateway.deps.config.DEPLOYMENT_MODE,
        publicOrigins: () => gateway.publicOrigins(gateway.portOf(req)),
        corsOrigins: gateway.deps.config.CORS_ORIGINS,
      });
      if (!verified) {
        return anybody;
      }
      gateway.limitRate(verified.credentialId, res);
      return selectCompany(verified);
    },
    again: async (maxAgeMs) =>
      isPublic
        ? anybody
        : selectCompany(await gateway.authenticate({ ...presented, maxAgeMs }), maxAgeMs),
  };
};
