import { listKeysContract } from '@commonplace/contracts/agents';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { assertAgentExists } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentKey } from '../present/credentials.ts';
import { listKeys } from '../queries/keys.ts';

const cursor = pageCursor('keys', z.tuple([z.iso.datetime(), z.uuid()]));

export const listKeysRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listKeysContract, async ({ params: { agentId }, query, company }) => {
    const page = { after: cursor.read(query), limit: query.limit };
    const rows = await readInCompany(db, company.id, (tx) => listKeys(tx, agentId, page));
    if (rows.length === 0) {
      await assertAgentExists(db, company.id, agentId);
    }
    const { items, nextCursor } = cursor.page(query, rows, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    return reply(200, { items: items.map(presentKey), nextCursor });
  });
