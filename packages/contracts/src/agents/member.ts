import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { companyId, operatorId } from '../ids.ts';

export const member = z
  .object({
    operatorId,
    email: z.string(),
    name: z.string(),
    role,
    since: timestamp,
  })
  .meta({
    id: 'Member',
    description: 'An operator in a company, with e-mail and name as of joining.',
  });
export type Member = z.infer<typeof member>;

/** The path of one member. */
export const memberParams = z.object({ companyId, operatorId });
