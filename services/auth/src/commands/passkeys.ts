import {
  credentialIdBytesMax,
  passkeysMax,
  type RegistrationResponse,
} from '@commonplace/contracts/auth';
import { AppError, newId, type SessionId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Client, Deps } from '../deps.ts';
import { challengeSeconds } from '../policy/challenges.ts';
import {
  deletePasskeyRow,
  insertPasskey,
  listPasskeys,
  renamePasskey,
  type PasskeyRow,
} from '../queries/passkeys.ts';
import { deleteSessionsOfPasskey } from '../queries/session-deletions.ts';
import { forgetPasskeyOfSession } from '../queries/sessions.ts';
import type { AccountTx } from '../queries/tx.ts';
import { asOperator } from './as-operator.ts';
import { assertWayToSignIn } from './assert-way-to-sign-in.ts';
import { consumeChallenge, createChallenge } from './challenges.ts';
import { ownActivity, recordActivity, recordRepeatableActivity } from './record-activity.ts';
import { challengeOf, siteOf, toBytes, webauthn } from './webauthn.ts';

type Acting = { readonly caller: OperatorCaller };
type PasskeyDeps = Pick<Deps, 'db' | 'clock' | 'passkeySite'>;
type RemovalDeps = PasskeyDeps & Pick<Deps, 'isLocalLogin' | 'oidc'>;

/** Begins the registration of a passkey that can be discovered and verifies its user. */
export const beginPasskey = async (
  deps: PasskeyDeps,
  { caller, client }: { readonly caller: OperatorCaller; readonly client: Client },
): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const { rpId } = siteOf(deps);
  const { operatorId, email, name } = caller;
  const existing = await read(deps.db, 'global', (tx) => listPasskeys(tx, operatorId));
  assertRoom(existing);
  const start = { kind: 'new_passkey', operatorId, epoch: null, client } as const;
  const challenge = await createChallenge(deps, start);
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: 'Commonplace',
    rpID: rpId,
    userID: toBytes(Buffer.from(operatorId)),
    userName: email,
    userDisplayName: name,
    challenge: toBytes(Buffer.from(challenge, 'base64url')),
    timeout: challengeSeconds * 1000,
    excludeCredentials: existing.map((row) => ({ id: row.credentialId })),
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
  { caller, client, name, response }: NewPasskeyInput,
): Promise<PasskeyRow> => {
  const { operatorId } = caller;
  const registered = await verifyNewPasskey(deps, { caller, client, response });
  const { credential, credentialBackedUp: isBackedUp } = registered;
  return asOperator(deps, { caller, as: 'self' }, async (tx) => {
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
    await recordChange(deps, { tx, caller, action: 'passkey.added', row: row ?? invalid() });
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
  if (found.operatorId !== caller.operatorId) {
    invalid();
  }
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(invalid);
  // The id in the attestation counts, which the contract of the request does not see.
  if (!verified.verified || isTooLong(verified.registrationInfo.credential.id)) {
    return invalid();
  }
  return verified.registrationInfo;
};

/** Renames a passkey; 404 if the caller has none such. */
export const updatePasskey = async (
  deps: PasskeyDeps,
  { caller, id, name }: Acting & { readonly id: string; readonly name: string },
): Promise<PasskeyRow> => {
  const { operatorId } = caller;
  return asOperator(deps, { caller, as: 'self' }, async (tx) => {
    const row = (await renamePasskey(tx, { id, operatorId, name })) ?? notFound();
    await recordChange(deps, { tx, caller, action: 'passkey.renamed', row });
    return row;
  });
};

/**
 * Removes a passkey and ends the other sessions that it started or confirmed. That of the caller goes on as one without
 * a second factor, unless another passkey confirmed it since. 409 `last_sign_in_method`.
 */
export const removePasskey = (
  deps: RemovalDeps,
  { caller, id }: Acting & { readonly id: string },
): Promise<void> =>
  asOperator(deps, { caller, as: 'self' }, async (tx) => {
    const { operatorId, sessionId } = caller;
    const removed = (await deletePasskeyRow(tx, { id, operatorId })) ?? notFound();
    await assertWayToSignIn(tx, deps, operatorId);
    const kept = { operatorId, passkeyId: id, keptId: sessionId as SessionId };
    await deleteSessionsOfPasskey(tx, kept);
    await forgetPasskeyOfSession(tx, { operatorId, passkeyId: id });
    await recordChange(deps, { tx, caller, action: 'passkey.removed', row: removed });
  });

type Change = {
  readonly tx: AccountTx;
  readonly caller: OperatorCaller;
  readonly action: 'passkey.added' | 'passkey.renamed' | 'passkey.removed';
  readonly row: Pick<PasskeyRow, 'id' | 'name'>;
};

/** Renaming can be repeated without limit; the log has it once a minute. */
const recordChange = (
  { clock }: Pick<Deps, 'clock'>,
  { tx, caller, action, row: { id, name } }: Change,
): Promise<void> => {
  const isRename = action === 'passkey.renamed';
  const detail = isRename ? { passkeyId: id } : { passkeyId: id, name };
  const activity = ownActivity(caller, { action, at: clock(), detail });
  return isRename ? recordRepeatableActivity(tx, activity) : recordActivity(tx, activity);
};

const isTooLong = (id: string): boolean =>
  Buffer.byteLength(id, 'base64url') > credentialIdBytesMax;

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
