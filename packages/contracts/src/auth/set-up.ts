import { z } from 'zod';
import { email, lineOfText, plainText } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operator.ts';
import { newPassword } from './password.ts';

/** An operator's name. */
export const operatorName = lineOfText(1, 200);

/** A one-time token of a link. */
export const oneTimeToken = plainText(1, 256);

/** Creates the first operator. */
export const setUpContract = routeContract({
  operationId: 'setUp',
  service: 'auth',
  method: 'post',
  path: '/api/auth/setup',
  tag: 'Sessions',
  summary: 'Create the first operator',
  description:
    'Requires the token of the setup link that the server printed at startup. The first operator is ' +
    'an administrator, gets the companies of the local board operator, and is signed in. ' +
    'Afterwards: 409 `already_set_up`.',
  body: z.strictObject({ token: oneTimeToken, email, name: operatorName, password: newPassword }),
  responses: {
    201: {
      description: 'Created and signed in',
      schema: z.object({ operator: signedInOperator }),
      headers: { 'Set-Cookie': { description: 'The session cookie' } },
    },
  },
  errors: [
    'invalid_one_time_token',
    'weak_password',
    'already_set_up',
    'operator_exists',
    'local_login_disabled',
    'local_trusted',
    'busy',
  ],
  access: {
    kind: 'public',
    reason: 'there is no operator yet; the setup token is the credential',
  },
});
