import { z } from 'zod';
import { companyStatus } from '../caller-roles.ts';
import { lineOfText, timestamp } from '../common.ts';
import { companyId } from '../ids.ts';

/** The name of a company, as clients send it. */
export const companyName = lineOfText(1, 200);

export const company = z
  .object({
    id: companyId,
    name: z.string(),
    status: companyStatus,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Company',
    description:
      'Every entity belongs to exactly one company. In an archived company operators read, ' +
      'writes are refused, and the credentials of its agents are dead.',
  });
export type Company = z.infer<typeof company>;

/** The path of everything below one company. */
export const companyParams = z.object({ companyId });
