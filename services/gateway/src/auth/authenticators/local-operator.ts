import { localOperatorId } from '@commonplace/contracts';
import type { Authenticator, Authentication } from './authenticator.ts';

const localOperator: Authentication = {
  method: 'local_trust',
  credentialId: 'local operator',
  principal: {
    kind: 'operator',
    operatorId: localOperatorId,
    name: 'Local board',
    email: 'board@localhost',
    isAdmin: true,
    isLocal: true,
    sessionId: null,
  },
  expiresAtMs: Infinity,
  ids: [localOperatorId],
};

/** In local trusted mode every request without a bearer is from the local operator. Cookies are ignored. */
export const localOperatorAuthenticator: Authenticator = ({ bearer }) =>
  bearer === null ? Promise.resolve(localOperator) : null;
