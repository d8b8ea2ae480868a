import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { passwordText } from './password.ts';

/** Proves again who the operator of a session is. */
export const reauthenticateContract = routeContract({
  operationId: 'reauthenticate',
  service: 'auth',
  method: 'post',
  path: '/api/auth/reauthenticate',
  tag: 'Sessions',
  summary: 'Confirm that it is you',
  description:
    'For changes that respond with 403 `reauthentication_required`: making an owner or administrator, ' +
    'changing your password, and creating the first key with all scopes of a company. They need a ' +
    'sign-in of the last 15 minutes; this counts as one. Failures count as failed sign-ins. The ' +
    'local board operator never needs it: 409.',
  body: z.strictObject({ password: passwordText }),
  responses: { 204: { description: 'Confirmed' } },
  errors: ['invalid_credentials', 'login_throttled', 'local_trusted', 'busy'],
  access: { kind: 'caller', agents: false },
});
