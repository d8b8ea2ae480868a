import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Bearer } from './bearer.ts';
import type { Verifiable } from '../verification/cache.ts';

/** What a request brings to prove who sent it. */
export type PresentedCredentials = {
  /** Null: no `Authorization` header. */
  readonly bearer: Bearer | null;
  readonly cookie: string | undefined;
  readonly address: string;
  /** Event streams do not keep a session from idling out. */
  readonly isStream: boolean;
  /** How old an answer about the credential may be, where that is less than usual. */
  readonly maxAgeMs?: number | undefined;
};

/** An operator before it is known which companies it may enter. */
export type OperatorPrincipal = Omit<OperatorCaller, 'companies' | 'selectedCompanyId'>;

/** A good credential and who holds it. */
export type Authentication = Verifiable & {
  readonly method: 'bearer' | 'cookie' | 'local_trust';
  /** Names the credential in rate limits. */
  readonly credentialId: string;
  readonly principal: AgentCaller | OperatorPrincipal;
};

/** Null: not a credential of this kind, let the next one look. A bad one of this kind is an AppError. */
export type Authenticator = (presented: PresentedCredentials) => Promise<Authentication> | null;
