import { passkeysMax, type RegistrationResponse } from '@commonplace/contracts/auth';
import { AppError, newId, type SessionId } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Client, Deps, RawExchange } from '../deps.ts';
import { challengeSeconds } from '../policy/challenges.ts';
import {
  deletePasskeyRow,
  insertPasskey,
  listPasskeys,
  renamePasskey,
  type PasskeyRow,
} from '../queries/passkeys.ts';
import { deleteSessionsOfPasskey } from '../queries/session-deletions.ts';
import { asOperator } from './as-operator.ts';
import { consumeChallenge, createChallenge } from './challenges.ts';
import { challengeOf, siteOf, toBytes } from './webauthn.ts';

type Acting = { readonly caller: OperatorCaller; readonly raw: RawExchange };
type PasskeyDeps = Pick<Deps, 'db' | 'clock' | 'sessions' | 'passkeySite'>;

/** Begins the registration of a passkey that can be discovered and verifies its user. */
export const beginPasskey = async (
  deps: PasskeyDeps,
  { caller, client }: { readonly caller: OperatorCaller; readonly client: Client },
): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const { rpId } = siteOf(deps);
  const { operatorId, email, name } = caller;
  const existing = await runGlobal(deps.db, (tx) => listPasskeys(tx, operatorId));
  assertRoom(existing);
  const start = { kind: 'new_passkey', operatorId, epoch: null, client } as const;
  const challenge = await createChallenge(deps, start);
  return generateRegistrationOptions({
    rpName: 'Commonplace',
    rpID: rpId,
    userID: toBytes(Buffer.from(operatorId)),
    userName: email,
    userDisplayName: name,
    challenge: toBytes(Buffer.from(challenge, 'base64url')),
    timeout: challengeSeconds * 1000,
    excludeCredentials: existing.map((row) => ({ id: row.credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
};

export type NewPasskeyInput = Acting & {
  readonly client: Client;
  readonly name: string;
  readonly response: RegistrationResponse;
};

/** Verifies a new passkey and stores it. 401 `invalid_passkey`, 401 `challenge_expired`. */
export const addPasskey = async (
  deps: PasskeyDeps,
  { caller, raw, client, name, response }: NewPasskeyInput,
): Promise<PasskeyRow> => {
  const { operatorId } = caller;
  const registered = await verifyNewPasskey(deps, { caller, client, response });
  const { credential, credentialBackedUp: isBackedUp } = registered;
  return asOperator(deps, { caller, raw, as: 'self' }, async (tx) => {
    assertRoom(await listPasskeys(tx, operatorId));
    const row = await insertPasskey(tx, {
      id: newId(),
      operatorId,
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      isBackedUp,
      transports: response.response.transports ?? [],
      name,
      at: deps.clock(),
    });
    return row ?? invalid();
  });
};

const verifyNewPasskey = async (
  deps: PasskeyDeps,
  {
    caller,
    client,
    response,
  }: Pick<NewPasskeyInput, 'client' | 'response'> & Pick<Acting, 'caller'>,
) => {
  const { rpId, origin } = siteOf(deps);
  const challenge = challengeOf(response.response.clientDataJSON);
  const found = await consumeChallenge(deps, { challenge, kind: 'new_passkey', client });
  if (found.operator_id !== caller.operatorId) {
    invalid();
  }
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(invalid);
  return verified.verified ? verified.registrationInfo : invalid();
};

/** Renames a passkey; 404 if the caller has none such. */
export const updatePasskey = async (
  deps: PasskeyDeps,
  { caller, raw, id, name }: Acting & { readonly id: string; readonly name: string },
): Promise<PasskeyRow> => {
  const { operatorId } = caller;
  const row = await asOperator(deps, { caller, raw, as: 'self' }, (tx) =>
    renamePasskey(tx, { id, operatorId, name }),
  );
  return row ?? notFound();
};

/** Removes a passkey and ends the other sessions that it started. */
export const removePasskey = (
  deps: PasskeyDeps,
  { caller, raw, id }: Acting & { readonly id: string },
): Promise<void> =>
  asOperator(deps, { caller, raw, as: 'self' }, async (tx) => {
    const { operatorId, sessionId } = caller;
    if (!(await deletePasskeyRow(tx, { id, operatorId }))) {
      notFound();
    }
    const kept = { operatorId, passkeyId: id, keptId: sessionId as SessionId };
    await deleteSessionsOfPasskey(tx, kept);
  });

const assertRoom = (passkeys: readonly PasskeyRow[]): void => {
  if (passkeys.length >= passkeysMax) {
    throw new AppError('passkey_limit');
  }
};

const notFound = (): never => {
  throw new AppError('not_found', 'You have no such passkey.');
};

const invalid = (cause?: unknown): never => {
  throw new AppError('invalid_passkey', undefined, { cause });
};
