import { z } from 'zod';
import { cents, timestamp, tokens } from '../common.ts';

const amount = z.int().meta({ description: 'Integer cents' });

const budgetFields = {
  monthlyCents: amount.nullable().meta({ description: 'Limit per month; null: unlimited' }),
  spentCents: amount.meta({
    description:
      'Cost of the ended runs of this month, and what running ones reported beyond their reservations',
  }),
  reservedCents: amount.meta({ description: 'Reserved by running runs' }),
  remainingCents: amount.nullable().meta({ description: 'Null without a limit; never negative' }),
  monthlyTokens: z.int().nullable().meta({ description: 'Limit per month; null: unlimited' }),
  spentTokens: z.int().meta({
    description: 'Input and output tokens that runs of this month reported',
  }),
  remainingTokens: z.int().nullable().meta({ description: 'Null without a limit; never negative' }),
  periodStart: timestamp,
  periodEnd: timestamp.meta({ description: 'The first moment of the next month (UTC)' }),
};

export const agentBudget = z
  .object(budgetFields)
  .meta({ id: 'AgentBudget', description: 'The budget of an agent in the current month (UTC)' });
export type AgentBudget = z.infer<typeof agentBudget>;

export const companyBudget = z.object(budgetFields).meta({
  id: 'CompanyBudget',
  description: 'The budget of all agents of a company together, in the current month (UTC)',
});

/** The limits of a budget, as clients set them; null: unlimited. A limit that is absent stays as it is. */
export const budgetLimits = z.strictObject({
  monthlyCents: cents.nullable().optional(),
  monthlyTokens: tokens.nullable().optional(),
});

/** A budget warns when this share of a limit is spent or reserved. */
export const budgetWarningPercent = 80;
