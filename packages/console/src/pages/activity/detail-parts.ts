import type { Schema } from '@commonplace/client';

type Entry = Schema<'ActivityEntry'>;

/** A value with its name. */
export type Part = readonly [string, unknown];

/**
 * The values of an entry. What several fields say together is one: a change of the thing itself, how much of a budget is used, and
 * how a run ended by that. Ids that mean nothing to a reader are left out: an undo is found by what it undid.
 */
export const partsOf = (entry: Entry): readonly Part[] => {
  const { from, to, undoId: _, inviteId: __, undone, adoptedFrom, ...others } = entry.detail;
  const name = entry.action === 'company.proposal_deciders_changed' ? 'deciders' : 'change';
  const change = from === undefined || to === undefined ? { from, to } : { [name]: { from, to } };
  const taken = undone === undefined ? {} : { takesBack: 'an undo' };
  const adopted = adoptedFrom === undefined ? {} : { adopted: 'in place of the local operator' };
  const parts = { ...change, ...taken, ...adopted, ...withUse(withoutRepeated(entry, others)) };
  return Object.entries(parts).filter(([, value]) => value !== undefined);
};

/** The run that an entry is about, or by which a budget was used up; null: none. */
export const runIdOf = ({ action, entity, detail }: Entry): string | null => {
  if (entity.type === 'run') {
    return entity.id;
  }
  return action === 'budget.exhausted' && typeof detail['runId'] === 'string'
    ? detail['runId']
    : null;
};

/** How much of a budget is used: in which month, and in which currency if that is known. */
export type Use = {
  readonly unit?: unknown;
  readonly limit: number;
  readonly used: number;
  readonly month?: unknown;
  readonly currency?: unknown;
};

const withUse = ({ unit, limit, used, month, currency, ...others }: Entry['detail']) => {
  if (typeof limit !== 'number' || typeof used !== 'number') {
    return { unit, limit, used, month, currency, ...others };
  }
  return { use: { unit, limit, used, month, currency } satisfies Use, ...others };
};

/** Without what the label of the action, the agent that is named, or the link to the run say. */
const withoutRepeated = ({ action, entity }: Entry, detail: Entry['detail']): Entry['detail'] => {
  const { agentId, status, booked, runId, ...others } = detail;
  const ownAgent = entity.type === 'agent' && entity.id === agentId ? {} : { agentId };
  const isOfCompany = entity.type === 'company' && action.startsWith('budget.');
  const whose = isOfCompany ? { whose: 'budget of the company' } : {};
  if (action === 'budget.exhausted') {
    const ended = booked === false ? endings.refused : endings.booked;
    return { ...whose, ...ownAgent, ...others, ended };
  }
  const isSaid = action === `run.${String(status)}`;
  return { ...whose, ...ownAgent, ...others, ...(isSaid ? {} : { status }), booked, runId };
};

const endings = {
  booked: 'its run was ended',
  refused: 'its run was ended, and what it reported last is not counted',
} as const;
