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

/** The currencies that browsers and Node can format. */
const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The currency of a company, as clients send it. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217, as USD')
  .refine((code) => known.has(code), 'must be a currency of ISO 4217')
  .meta({ description: 'A code of ISO 4217. Amounts are not converted when it changes' });

/** A limit of tokens and its usage; null: unlimited. */
export type BookedTokens = { readonly monthlyTokens: number | null; readonly spentTokens: number };

/** How many tokens runs may still use this month; null without a limit. Never negative. */
export const remainingTokens = ({ monthlyTokens, spentTokens }: BookedTokens): number | null =>
  monthlyTokens === null ? null : Math.max(0, monthlyTokens - spentTokens);

/** A limit and its usage in cents; null: unlimited. */
export type Bookings = {
  readonly monthlyCents: number | null;
  readonly spentCents: number;
  readonly reservedCents: number;
};

/**
 * What an agent may still reserve this month; null without a limit. Never negative, although runs
 * may cost more than they reserved and limits may be lowered.
 */
export const remainingCents = (bookings: Bookings): number | null => {
  const { monthlyCents, spentCents, reservedCents } = bookings;
  return monthlyCents === null ? null : Math.max(0, monthlyCents - spentCents - reservedCents);
};
