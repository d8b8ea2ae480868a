import { AppError } from '@commonplace/contracts/core';
import { listRevisions as listRevisionsContract } from '@commonplace/contracts/notes';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentRevisionSummary } from '../present/present-revision.ts';
import { listRevisions } from '../queries/list-revisions.ts';

/** Lists the versions of a note, newest first. */
export const listRevisionsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listRevisionsContract, async ({ params, query, company }) => {
    const cursor = pageCursor(`revisions ${params.id}`, z.int());
    const before = cursor.read(query);
    const rows = await readInCompany(db, company.id, (tx) =>
      listRevisions(tx, { id: params.id, before, limit: query.limit + 1 }),
    );
    // A note has one version at least, and the first page always shows one.
    if (rows.length === 0 && before === null) {
      throw new AppError('not_found', 'No such note.');
    }
    const { items, nextCursor } = cursor.page(query, rows, (row) => row.revision);
    return reply(200, { items: items.map(presentRevisionSummary), nextCursor });
  });
