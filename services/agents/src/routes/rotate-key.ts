import { rotateKeyContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { rotateKey } from '../commands/rotate-key.ts';
import type { Deps } from '../deps.ts';
import { presentKey } from '../present/credentials.ts';

export const rotateKeyRoute = ({ db, clock, peppers }: Pick<Deps, 'db' | 'clock' | 'peppers'>) =>
  defineRoute(rotateKeyContract, async (request) => {
    const { params, body, caller, company } = request;
    const { overlapSeconds } = body;
    const rotation = { ...params, overlapSeconds, createdBy: caller.operatorId, peppers };
    const { row, key } = await withCompany(db, company.id, (tx) =>
      rotateKey(tx, rotation, auditContextOf(request, clock)),
    );
    return reply(201, { ...presentKey(row), key }, { 'Cache-Control': 'no-store' });
  });
