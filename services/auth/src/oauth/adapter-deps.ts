import type { ConnectionEndReason } from '@commonplace/contracts/internal';
import type { Db } from '@commonplace/db';
import type { ServiceClient } from '@commonplace/http';
import type { Adapter } from 'oidc-provider';

/** The storage methods of a model, which the library calls. */
export type ModelAdapter = Pick<Adapter, 'upsert' | 'find' | 'destroy'> & Partial<Adapter>;

/** A code or a refresh token, and how often it had been used when it was found. */
type Source = { readonly digest: string; readonly uses: number };

/** What one request has found and used up; the library hands it from one model to the next without naming it. */
export type Exchange = {
  readonly found: Map<string, number>;
  /** The code or refresh token that this request exchanges, once it is used up. */
  source: Source | null;
};

/** What the storage of the OAuth library needs. */
export type AdapterDeps = {
  readonly db: Db;
  readonly clock: () => Date;
  readonly callAgents: ServiceClient;
  /** The request that runs; a new one outside of any. */
  readonly exchange: () => Exchange;
  readonly requestId: () => string;
  /** The error of a code or token that is not valid. */
  readonly invalidGrant: (reason: string) => Error;
  /** Whether the request exchanges or revokes a token: then the copy of a metadata document counts that was consented to. */
  readonly usesConsentedCopy: () => boolean;
  readonly endingReason: () => ConnectionEndReason;
  readonly returnTo: (uid: string) => string;
};
