import type { SessionMethod } from '@commonplace/contracts/auth';
import type { OperatorId, SessionId } from '@commonplace/contracts/core';

/** The operator of a session, its epoch at the start, and the origin of the sign-in. */
export type SignedIn = {
  readonly sessionId: SessionId;
  readonly operatorId: OperatorId;
  readonly epoch: number;
  readonly address: string;
  readonly userAgent: string | null;
  /** Absent in sessions of releases before 2.1; the row has it for all. */
  readonly method?: SessionMethod;
  readonly amr?: readonly string[];
  /** The passkey that started the session. */
  readonly passkeyId?: string;
  /** What began the session at a provider. */
  readonly provider?: ProviderSession;
  /** When the operator proved who they are, if that was before the session began; ISO 8601. */
  readonly authenticatedAt?: string;
};

type ProviderSession = {
  readonly identityId: string;
  /** The session at the provider, which a logout token may name. */
  readonly sid: string | null;
  /** A hint for signing out at the provider. */
  readonly idToken: string | null;
  /** When the sign-in began here. A logout since then ends it. */
  readonly begunAtMs: number;
};
