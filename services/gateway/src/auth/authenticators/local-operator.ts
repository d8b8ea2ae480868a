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

/** In local trusted mode whoever brings no bearer is the local board operator; cookies are ignored. */
export const localOperatorAuthenticator: Authenticator = ({ bearer }) =>
  bearer === null ? Promise.resolve(localOperator) : null;
