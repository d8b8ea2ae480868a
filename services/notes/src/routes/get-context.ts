import { getContextContract } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import { gatherContext } from '../context/gather-context.ts';
import type { Deps } from '../deps.ts';
import { renderContext } from '../present/render-context.ts';
import { readCursor } from '../rules/sync-cursor.ts';

type ContextDeps = Pick<Deps, 'db' | 'clock' | 'search' | 'describeAuthors' | 'findMeaning'>;

/** Gathers what the caller should know, as JSON or as Markdown. */
export const getContextRoute = (deps: ContextDeps) =>
  defineRoute(getContextContract, async ({ body, caller, company, accepts, work }) => {
    const since = body.since === undefined ? null : readCursor(body.since, company.reach);
    const context = await gatherContext(deps, {
      ...body,
      since,
      caller,
      reach: company.reach,
      work,
    });
    const headers = { Vary: 'Accept', 'X-Context-Cursor': context.cursor };
    return accepts('application/json', 'text/markdown') === 'text/markdown'
      ? { status: 200 as const, markdown: renderContext(context), headers }
      : reply(200, context, headers);
  });
