import { openInvitesMax } from '@commonplace/contracts/agents';
import type { CompanyId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { countOpenInvites, listInviters, type Inviter } from '../queries/invites.ts';
import { mayInvite } from './read-active-invite.ts';

/**
 * Returns the creators of the open invites of a company who were disabled, or who lost their account since: nobody can
 * accept those invites, so they do not count. Only the auth service knows, so it is called before the change, outside
 * any lock, and only if there are so many invites that it matters: invites whose creator loses access in between still count.
 */
export const findEndedInviters = async (
  deps: Pick<Deps, 'db' | 'clock' | 'checkOperator'>,
  companyId: CompanyId,
): Promise<Inviter[]> => {
  const now = deps.clock();
  const inviters = await read(deps.db, companyId, async (tx) =>
    (await countOpenInvites(tx, now, [])) < openInvitesMax ? [] : listInviters(tx, now),
  );
  const isOpen = await Promise.all(inviters.map((inviter) => mayInvite(deps, inviter)));
  return inviters.filter((_, index) => !isOpen[index]);
};
