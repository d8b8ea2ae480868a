import { AppError } from '@commonplace/contracts/core';
import type { AuthenticationResponse } from '@commonplace/contracts/auth';
import type { OperatorCaller } from '@commonplace/identity';
import type { Client, Deps } from '../deps.ts';
import { checkPasskey } from './check-passkey.ts';
import { checkPassword } from './check-password.ts';
import { checkSecondFactor, needsSecondFactor, type SecondFactor } from './check-second-factor.ts';

/** A passkey, or a password with a code where signing in needs one. */
export type Proof = SecondFactor & {
  readonly password?: string | undefined;
  readonly passkey?: AuthenticationResponse | undefined;
};

type ProofDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'secretBox' | 'log' | 'passkeySite'>;

/**
 * Checks that a proof is of the operator of a session: 401 if not. The passkey of somebody else is
 * refused like an unknown one. Returns the id of the passkey; null means the proof was a password.
 */
export const reauthenticate = async (
  deps: ProofDeps,
  {
    caller,
    proof,
    client,
  }: { readonly caller: OperatorCaller; readonly proof: Proof; readonly client: Client },
): Promise<string | null> => {
  const { password, passkey } = proof;
  if (passkey !== undefined) {
    const { operator, passkeyId } = await checkPasskey(deps, { response: passkey, client });
    if (operator.id !== caller.operatorId) {
      throw new AppError('invalid_passkey');
    }
    return passkeyId;
  }
  const operator = await checkPassword(deps, {
    email: caller.email,
    password: password ?? '',
    client,
    refusal: 'The password is wrong.',
  });
  if (await needsSecondFactor(deps, operator.id)) {
    if (proof.code === undefined && proof.recoveryCode === undefined) {
      throw new AppError('second_factor_required');
    }
    await checkSecondFactor(deps, { operator, factor: proof, client });
  }
  return null;
};
