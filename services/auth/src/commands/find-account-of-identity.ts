import { AppError } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import type { Deps, Oidc } from '../deps.ts';
import type { AttemptPurpose } from '../oidc/attempts.ts';
import type { ProvenIdentity } from '../oidc/read-claims.ts';
import { isOfDomain } from '../policy/identity-limits.ts';
import { useIdentity } from '../queries/identities.ts';
import { findOperator, findOperatorByEmail } from '../queries/operators.ts';
import { createLinkedOperator, type LinkedOperator } from './create-linked-operator.ts';
import { findInviteOfDigest } from './find-invite.ts';
import { recordVerifiedEmail } from './record-verified-email.ts';
import { takeHandoverByIdentity } from './take-handover.ts';

type SearchDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'callAgents'>;

export type AccountSearch = {
  readonly proven: ProvenIdentity;
  readonly purpose: Exclude<AttemptPurpose, { kind: 'link' }>;
  readonly allowedDomains: Oidc['allowedDomains'];
  readonly requestId: string;
};

type FoundAccount = LinkedOperator & { readonly isNew: boolean };

/**
 * Returns the account that an identity is linked to, or a new one. Throws 403 or 409 if the identity
 * may have none.
 */
export const findAccountOfIdentity = async (
  deps: SearchDeps,
  input: AccountSearch,
): Promise<FoundAccount> => {
  const { proven, purpose, requestId } = input;
  const invitedEmail =
    purpose.kind === 'invite'
      ? (await findInviteOfDigest(deps, purpose.tokenDigest, requestId)).email
      : null;
  const linked = await findLinked(deps, proven);
  if (linked) {
    if (invitedEmail !== null && invitedEmail !== linked.operator.email) {
      throw new AppError('invite_for_another_email');
    }
    await recordVerifiedEmail(deps, linked.operator, proven);
    return { ...linked, isNew: false };
  }
  const handed = await takeHanded(deps, input, invitedEmail);
  if (handed) {
    return { ...handed, isNew: false };
  }
  const email = await assertMayHaveAccount(deps, input, invitedEmail);
  return { ...(await createLinkedOperator(deps, { ...proven, email })), isNew: true };
};

const findLinked = async (
  { db, clock }: SearchDeps,
  { issuer, subject }: ProvenIdentity,
): Promise<LinkedOperator | null> => {
  const now = clock();
  const identity = await write(db, 'global', (tx) => useIdentity(tx, { issuer, subject, now }));
  const operator =
    identity && (await read(db, 'global', (tx) => findOperator(tx, identity.operatorId)));
  return identity && operator ? { identity, operator } : null;
};

/** Returns the account of a verified email, if an administrator handed it over. */
const takeHanded = async (
  deps: SearchDeps,
  { proven }: AccountSearch,
  invitedEmail: string | null,
): Promise<LinkedOperator | null> => {
  const { email, isEmailVerified } = proven;
  if (email === null || !isEmailVerified || (invitedEmail !== null && invitedEmail !== email)) {
    return null;
  }
  const existing = await read(deps.db, 'global', (tx) => findOperatorByEmail(tx, email));
  return existing && takeHandoverByIdentity(deps, proven, existing.id);
};

/** Returns the verified email of a new account, or throws why there will be none. */
const assertMayHaveAccount = async (
  { db }: SearchDeps,
  { proven: { email, isEmailVerified }, allowedDomains }: AccountSearch,
  invitedEmail: string | null,
): Promise<string> => {
  if (invitedEmail === null && allowedDomains.length === 0 && !isEmailVerified) {
    throw new AppError('oidc_not_linked');
  }
  if (email === null || !isEmailVerified) {
    throw new AppError('oidc_email_unverified');
  }
  if (invitedEmail !== null && invitedEmail !== email) {
    throw new AppError('invite_for_another_email');
  }
  if (await read(db, 'global', (tx) => findOperatorByEmail(tx, email))) {
    throw new AppError('oidc_account_exists');
  }
  if (invitedEmail === null && !isOfDomain(email, allowedDomains)) {
    throw new AppError('oidc_not_linked');
  }
  return email;
};
