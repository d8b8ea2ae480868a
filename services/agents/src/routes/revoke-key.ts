import { revokeKeyContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { endKey } from '../commands/end-key.ts';
import type { Deps } from '../deps.ts';

export const revokeKeyRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(revokeKeyContract, async (request) => {
    const { params, company } = request;
    await withCompany(db, company.id, (tx) => endKey(tx, params, doingOf(request, clock)));
    return reply(204);
  });
