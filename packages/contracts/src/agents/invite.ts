import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { companyId, inviteId } from '../ids.ts';

/** Hours an invite can be accepted. */
export const inviteLifetimeHours = 72;

/** Invites of a company that nobody has accepted yet. */
export const openInvitesMax = 1000;

export const invite = z
  .object({
    id: inviteId,
    email: z.string(),
    role,
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({
    id: 'Invite',
    description: 'An open invitation into a company. It can be accepted once, within 72 hours.',
  });
export type Invite = z.infer<typeof invite>;

/** The answer of the creation, the only one that holds the token. */
export const createdInvite = invite
  .extend({
    token: z.string().meta({ description: 'Shown this once; only its SHA-256 is stored' }),
    url: z.string().meta({ description: 'Where the invited person accepts; it holds the token' }),
  })
  .meta({ id: 'CreatedInvite', description: 'A new invite together with its token' });

/** The path of one invite. */
export const inviteParams = z.object({ companyId, inviteId });
