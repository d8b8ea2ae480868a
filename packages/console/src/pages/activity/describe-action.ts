import type { Schema } from '@commonplace/client';

/** An action of the audit log. */
export type Action = Schema<'ActivityEntry'>['action'];

/** The label of each action. */
export const actions: Readonly<Record<Action, string>> = {
  'company.created': 'Company created',
  'company.renamed': 'Company renamed',
  'company.currency_changed': 'Company currency changed',
  'company.budget_changed': 'Company budget changed',
  'company.proposal_deciders_changed': 'Who decides about proposals changed',
  'company.embeddings_enabled': 'Search by meaning switched on',
  'company.embeddings_disabled': 'Search by meaning switched off',
  'company.archived': 'Company archived',
  'company.activated': 'Company restored',
  'member.added': 'Member joined',
  'member.changed': 'Member changed',
  'member.removed': 'Member removed',
  'invite.created': 'Invite created',
  'invite.withdrawn': 'Invite withdrawn',
  'agent.created': 'Agent created',
  'agent.updated': 'Agent updated',
  'agent.paused': 'Agent paused',
  'agent.resumed': 'Agent resumed',
  'agent.terminated': 'Agent terminated',
  'key.created': 'Key created',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'connection.created': 'Connection created',
  'connection.revoked': 'Connection ended',
  'run.started': 'Run started',
  'run.renewed': 'Run token renewed',
  'run.finished': 'Run finished',
  'run.cancelled': 'Run cancelled',
  'run.expired': 'Run expired',
  'budget.warned': '80 % or more of a budget used',
  'budget.exhausted': 'Budget exhausted',
  'notes.undone': 'Changes of notes undone',
};

/** The label of an action; a newer server may send unknown ones. */
export const describeAction = (action: Action): string => actions[action] ?? action;
