import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { grantList } from '../grants.ts';
import { companyId, inviteId } from '../ids.ts';

/** Hours an invite can be accepted. */
export const inviteLifetimeHours = 72;

/** The limit of open invites per company. */
export const openInvitesMax = 1000;

export const invite = z
  .object({
    id: inviteId,
    email: z.string(),
    role,
    grants: grantList.meta({
      description: 'The folders whose notes the viewer will reach; null: all notes',
    }),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({
    id: 'Invite',
    description: 'An open invitation into a company. It can be accepted once, within 72 hours.',
  });
export type Invite = z.infer<typeof invite>;

/** The response to the creation, the only one with the token. */
export const createdInvite = invite
  .extend({
    token: z.string().meta({ description: 'Returned only once; only its SHA-256 is stored' }),
    url: z
      .string()
      .meta({ description: 'The page where the invited person accepts; contains the token' }),
  })
  .meta({ id: 'CreatedInvite', description: 'A new invite together with its token' });

/** The path of one invite. */
export const inviteParams = z.object({ companyId, inviteId });
