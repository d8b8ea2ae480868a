import type { Schema } from '@commonplace/client';

/** An action of the audit log of the instance. */
export type InstanceAction = Schema<'InstanceActivityEntry'>['action'];

/** The label of each action. */
export const instanceActions: Readonly<Record<InstanceAction, string>> = {
  'operator.created': 'Account created',
  'operator.disabled': 'Account disabled',
  'operator.enabled': 'Account enabled',
  'administrator.granted': 'Made administrator',
  'administrator.revoked': 'Administrator removed',
  'email.verified': 'Email verified',
  'session.reauthenticated': 'Confirmed who they are',
  'session.revoked': 'Ended sessions',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'second_factor.reset': 'Second factor reset',
  'totp.added': 'Authenticator app added',
  'totp.removed': 'Authenticator app removed',
  'passkey.added': 'Passkey added',
  'passkey.renamed': 'Passkey renamed',
  'passkey.removed': 'Passkey removed',
  'identity.linked': 'Identity linked',
  'identity.unlinked': 'Identity unlinked',
  'handover.begun': 'Handover started',
  'handover.taken': 'Account taken by its person',
};

/** The label of an action; a newer server may send unknown ones. */
export const describeInstanceAction = (action: InstanceAction): string =>
  instanceActions[action] ?? action;

/** What changed, in the order of the entry. What is not the case is left out. */
export const describeInstanceDetail = (detail: Readonly<Record<string, unknown>>): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => describeFact(name, value))
    .join(' · ');

const describeFact = (name: string, value: unknown): string => {
  if (name === 'isAdmin') {
    return 'administrator';
  }
  const words = name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return value === true ? words : `${words}: ${String(value)}`;
};
