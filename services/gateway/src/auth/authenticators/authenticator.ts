import type { ConnectionResource } from '@commonplace/contracts';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { OAuthResource } from '../oauth-resources.ts';
import type { Verifiable } from '../verification/cache.ts';

/** The bearer of a request. */
export type Bearer = {
  /** Empty when the header holds no bearer token; the empty text is never valid. */
  readonly text: string;
  /** Key of the cache. It is not peppered, because it never leaves the process and is three times as fast. */
  readonly digest: string;
};

/** The credentials of a request. */
export type PresentedCredentials = {
  /** Null without an `Authorization` header. */
  readonly bearer: Bearer | null;
  readonly cookie: string | undefined;
  /** The address that lookups of unverified credentials count against; null for one that this request has verified. */
  readonly address: string | null;
  /** Where it is one that access tokens of connections are for. */
  readonly resource: OAuthResource | null;
  /** An event stream does not extend the session. */
  readonly isStream: boolean;
  /** The run of the path, where its token is accepted although it has ended. */
  readonly endedRunId?: string | undefined;
  /** The maximum age of a cached verification, where that is less than the default. */
  readonly maxAgeMs?: number | undefined;
};

/** An operator without the companies, which the company selection adds. */
export type OperatorPrincipal = Omit<OperatorCaller, 'companies' | 'selectedCompanyId'>;

/** A valid credential and its owner. */
export type Authentication = Verifiable & {
  readonly method: 'bearer' | 'cookie' | 'local_trust';
  /** Identifies the credential in rate limits. */
  readonly credentialId: string;
  readonly principal: AgentCaller | OperatorPrincipal;
  /** The resource that the access token of a connection was issued for. */
  readonly resource?: ConnectionResource;
  /** The operator must set up a second factor and may call nothing else. */
  readonly mustEnrol?: boolean;
};

/** Returns null for credentials of another kind. An invalid credential of this kind is an AppError. */
export type Authenticator = (presented: PresentedCredentials) => Promise<Authentication> | null;
