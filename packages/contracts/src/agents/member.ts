import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { grantList } from '../grants.ts';
import { companyId, operatorId } from '../ids.ts';

export const member = z
  .object({
    operatorId,
    email: z.string(),
    emailVerified: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether somebody proved that the e-mail is of this person; null while that is not known. False for ' +
          'an account of an invite: its sender may have accepted it',
      }),
    name: z.string(),
    role,
    grants: grantList.meta({
      description: 'The folders whose notes a viewer reaches; null: all notes, as other roles do',
    }),
    since: timestamp,
  })
  .meta({
    id: 'Member',
    description: 'An operator in a company, with e-mail and name as of joining.',
  });
export type Member = z.infer<typeof member>;

/** The path of one member. */
export const memberParams = z.object({ companyId, operatorId });
