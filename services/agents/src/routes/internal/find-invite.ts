import { findInvite } from '@commonplace/contracts/internal';
import { runGlobal, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { findCompany } from '../../queries/find-company.ts';
import { findInvitePlace } from '../../queries/find-invite-place.ts';
import { findLivingInvite } from '../../queries/find-living-invite.ts';

export const findInviteRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(findInvite, async ({ body }) => {
    const digest = Buffer.from(body.tokenDigest, 'hex');
    const place = await runGlobal(db, (tx) => findInvitePlace(tx, digest));
    if (!place) {
      return reply(200, { invite: null });
    }
    const { companyId, inviteId } = place;
    const [company, invite] = await withCompany(db, companyId, (tx) =>
      Promise.all([findCompany(tx), findLivingInvite(tx, inviteId, clock())]),
    );
    if (!invite || company?.status !== 'active') {
      return reply(200, { invite: null });
    }
    const { email, role } = invite;
    return reply(200, { invite: { inviteId, companyId, companyName: company.name, email, role } });
  });
