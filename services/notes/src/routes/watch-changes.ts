import { watchChangesContract } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import { waitForHead } from '../feed/wait-for-head.ts';
import { startHeadEventStream, streamHeaders } from '../feed/head-event-stream.ts';
import type { Deps } from '../deps.ts';

/** Notifies clients of changes to pull, by event stream or long poll. */
export const watchChangesRoute = (deps: Pick<Deps, 'db' | 'feed'>) =>
  defineRoute(watchChangesContract, async ({ query, company, header, accepts, closeSignal }) => {
    const known = { companyId: company.id, since: query.since ?? 0, signal: closeSignal() };
    if (accepts('application/json', 'text/event-stream') === 'text/event-stream') {
      const since = positionOf(header('Last-Event-ID')) ?? known.since;
      const stream = await startHeadEventStream(deps, { ...known, since });
      return { status: 200 as const, headers: streamHeaders, stream };
    }
    const head = await waitForHead(deps, { ...known, waitMs: query.wait * 1_000 });
    return reply(200, { head, changed: head !== known.since });
  });

/** The position from `Last-Event-ID`, which browsers send on reconnect; null: absent or malformed. */
const positionOf = (lastEventId: string | undefined): number | null =>
  lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
