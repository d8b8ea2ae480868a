import { z } from 'zod';
import { companyStatus } from '../caller-roles.ts';
import { lineOfText, timestamp } from '../common.ts';
import { companyId } from '../ids.ts';
import { companyBudget } from './budget.ts';

/** The name of a company, as clients send it. */
export const companyName = lineOfText(1, 200);

export const company = z
  .object({
    id: companyId,
    name: z.string(),
    status: companyStatus,
    currency: z.string().meta({
      description:
        'ISO 4217. Amounts in `…Cents` are in its minor unit: hundredths for USD, whole units for JPY',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Company',
    description:
      'Every entity belongs to exactly one company. An archived company is read-only for ' +
      'operators, and the credentials of its agents are rejected.',
  });
export type Company = z.infer<typeof company>;

/** Who decides about proposals of agents, beside operators and owners. */
export const proposalDeciders = z.enum(['operators', 'agents']).meta({
  description: `\`agents\`: beside operators and owners also agents, where their grants have the scope \`any\` and the mode
\`direct\`, but never about their own. \`operators\` is the default`,
});
export type ProposalDeciders = z.infer<typeof proposalDeciders>;

/** As responses about one company have it; lists leave out the budget. */
export const companyDetail = company
  .extend({ budget: companyBudget, proposalsDecidedBy: proposalDeciders })
  .meta({ id: 'CompanyDetail', description: 'A company with its budget and settings' });
export type CompanyDetail = z.infer<typeof companyDetail>;

/** The path of everything below one company. */
export const companyParams = z.object({ companyId });
