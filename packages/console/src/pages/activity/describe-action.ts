import type { Schema } from '@commonplace/client';

/** An action of the audit. */
export type Action = Schema<'ActivityEntry'>['action'];

/** What each action of the audit means, in words. */
export const actions: Readonly<Record<Action, string>> = {
  'company.created': 'Company created',
  'company.renamed': 'Company renamed',
  'company.archived': 'Company archived',
  'company.activated': 'Company restored',
  'member.added': 'Member joined',
  'member.changed': 'Role of a member changed',
  'member.removed': 'Member removed',
  'invite.created': 'Invite sent',
  'invite.withdrawn': 'Invite withdrawn',
  'agent.created': 'Agent created',
  'agent.updated': 'Agent changed',
  'agent.paused': 'Agent paused',
  'agent.resumed': 'Agent resumed',
  'agent.terminated': 'Agent terminated',
  'key.created': 'Key created',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'run.started': 'Run started',
  'run.renewed': 'Run token renewed',
  'run.finished': 'Run finished',
  'run.cancelled': 'Run cancelled',
  'run.expired': 'Run expired',
};

/** An action in words; a newer server may know more of them. */
export const describeAction = (action: Action): string => actions[action] ?? action;
