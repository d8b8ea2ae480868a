import type { AuthenticationResponse } from '@commonplace/contracts/auth';
import { AppError } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Client, Deps } from '../deps.ts';
import { challengeSeconds } from '../policy/challenges.ts';
import {
  passkeyAttemptBucket,
  passkeyAttemptLimit,
  passkeyStartLimit,
  type Share,
} from '../policy/login-limits.ts';
import { findOperator, type OperatorRow } from '../queries/operators.ts';
import { findPasskey, recordPasskeyUse, type PasskeyRow } from '../queries/passkeys.ts';
import { consumeChallenge, createChallenge } from './challenges.ts';
import { consumeWindowAttempt, refundWindowAttempts } from './consume-login-attempt.ts';
import { findShare } from './find-share.ts';
import { recordFailedSignIn } from './record-sign-in.ts';
import { challengeOf, siteOf, toBytes, webauthn } from './webauthn.ts';

type CheckDeps = Pick<Deps, 'db' | 'clock' | 'passkeySite'>;

/** Begins a sign-in with a passkey. The passkey says whose: no list of credentials is sent. */
export const beginPasskeyLogIn = async (
  deps: CheckDeps,
  client: Client,
): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const { rpId } = siteOf(deps);
  const share = await findShare(deps, client, 'anybody');
  await consumeWindowAttempt(deps, passkeyAttemptBucket('start', share), passkeyStartLimit);
  const start = { kind: 'passkey', operatorId: null, epoch: null, client } as const;
  const challenge = await createChallenge(deps, start);
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: toBytes(Buffer.from(challenge, 'base64url')),
    timeout: challengeSeconds * 1000,
    userVerification: 'required',
  });
};

export type PasskeyAttempt = {
  readonly response: AuthenticationResponse;
  readonly client: Client;
};

/** An operator, and the passkey that proved who they are. */
export type PasskeyProof = { readonly operator: OperatorRow; readonly passkeyId: string };

/**
 * Verifies a passkey and records its use. Unknown passkeys, disabled accounts, wrong signatures and counters that
 * went back are all 401 `invalid_passkey`; the last is in the history with its reason.
 */
export const checkPasskey = async (
  deps: CheckDeps,
  { response, client }: PasskeyAttempt,
): Promise<PasskeyProof> => {
  const site = siteOf(deps);
  const share = await findShare(deps, client, 'anybody');
  await consumeWindowAttempt(deps, passkeyAttemptBucket('attempt', share), passkeyAttemptLimit);
  const challenge = challengeOf(response.response.clientDataJSON);
  await consumeChallenge(deps, { challenge, kind: 'passkey', client });
  const passkey = await read(deps.db, 'global', (tx) => findPasskey(tx, response.id));
  const operator =
    passkey && (await read(deps.db, 'global', (tx) => findOperator(tx, passkey.operatorId)));
  if (!passkey || !operator) {
    return invalid();
  }
  const fail = async (reason: 'passkey_counter' | null) => {
    const { id: operatorId, email } = operator;
    await recordFailedSignIn(deps, { email, method: 'passkey', client, operatorId, reason });
    return invalid();
  };
  const info = await verify(site, { response, challenge, passkey });
  if (!info || operator.disabledAt !== null) {
    return fail(null);
  }
  const { newCounter: counter, credentialBackedUp: isBackedUp } = info;
  const use = { id: passkey.id, counter, isBackedUp, at: deps.clock() };
  if (!(await write(deps.db, 'global', (tx) => recordPasskeyUse(tx, use)))) {
    return fail('passkey_counter');
  }
  await refundPasskeyAttempt(deps, share);
  return { operator, passkeyId: passkey.id };
};

/** Successful sign-ins do not count: an office behind one address may have many. */
const refundPasskeyAttempt = ({ db }: CheckDeps, share: Share): Promise<void> =>
  refundWindowAttempts({ db }, [
    passkeyAttemptBucket('start', share),
    passkeyAttemptBucket('attempt', share),
  ]);

/** Null means the response does not prove possession of the passkey, or its user was not verified. */
const verify = async (
  { rpId, origin }: { readonly rpId: string; readonly origin: string },
  presented: {
    readonly response: AuthenticationResponse;
    readonly challenge: string;
    readonly passkey: PasskeyRow;
  },
) => {
  const { response, challenge, passkey } = presented;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    // `recordPasskeyUse` compares the counter in the statement that writes it.
    credential: {
      id: passkey.credentialId,
      publicKey: toBytes(passkey.publicKey),
      counter: 0,
    },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified === true ? verified.authenticationInfo : null;
};

const invalid = (): never => {
  throw new AppError('invalid_passkey');
};
