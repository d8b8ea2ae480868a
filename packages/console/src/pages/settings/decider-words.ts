import type { Schema } from '@commonplace/client';

/** Who decides about proposals. */
export type Decider = Schema<'CompanyDetail'>['proposalsDecidedBy'];

/** Who decides about proposals, in words. */
export const deciderWords: Readonly<Record<Decider, string>> = {
  operators: 'Operators and owners',
  agents: 'Operators, owners and agents',
};
