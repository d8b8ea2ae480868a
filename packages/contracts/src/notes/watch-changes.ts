import { z } from 'zod';
import { queryInt, queryIntOr } from '../common.ts';
import { routeContract } from '../route-contract.ts';

/** A position in a company's feed, in a query. */
const feedPosition = queryInt(0, 999_999_999_999_999);

export const watchChangesContract = routeContract({
  operationId: 'watchChanges',
  service: 'notes',
  method: 'get',
  path: '/api/notes/changes',
  tag: 'Synchronisation',
  summary: 'Learn that there is something to pull',
  description: `Hints only: what changed is pulled with \`POST /api/sync\`. With \`Accept: text/event-stream\` the answer is a
stream of server-sent events: \`event: change\`, \`data: {"head": n}\`, \`id: n\` after each commit (a burst may be one
event), at once on connect when something is newer than \`Last-Event-ID\`, and a comment every 15 seconds. Otherwise the
answer waits up to \`wait\` seconds for a position beyond \`since\`.

A stream ends when its credential dies, and by itself after about five minutes: reconnect with \`Last-Event-ID\`, as
browsers do. Listening does not keep a session alive. At most 500 listen to one company on one process (503).`,
  query: z.object({
    since: feedPosition.optional().meta({ description: 'The position known already' }),
    wait: queryIntOr(0, 0, 25).meta({ description: 'Seconds to wait for a change' }),
  }),
  headers: {
    'Last-Event-ID': 'The position of the last event seen; sent by browsers on reconnect.',
  },
  responses: {
    200: {
      description: 'The position of the feed, as JSON or as an event stream',
      schema: z.object({
        head: z.int().meta({ description: 'The position of the last commit' }),
        changed: z.boolean().meta({ description: 'True when `head` is not `since`' }),
      }),
      headers: {
        'Cache-Control': {
          description: '`private, no-store`; of an event stream `private, no-store, no-transform`',
        },
        'X-Accel-Buffering': {
          description: '`no` of an event stream: proxies must not hold events back',
          isOptional: true,
        },
      },
      eventStream: 'Events `change` with `data: {"head": n}` and `id: n`, and comments in between',
    },
  },
  errors: [],
  access: { kind: 'company', company: 'selected', agents: 'own_company', operators: 'viewer' },
  deadlineMs: null,
});
