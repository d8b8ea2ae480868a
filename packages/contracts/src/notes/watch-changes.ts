import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { queryInt, queryIntOr } from '../common.ts';
import { routeContract } from '../route-contract.ts';

/** A position in the feed of a company, as a query parameter. */
const feedPosition = queryInt(0, 999_999_999_999_999);

export const watchChangesContract = routeContract({
  operationId: 'watchChanges',
  service: 'notes',
  method: 'get',
  path: '/api/notes/changes',
  tag: 'Synchronisation',
  summary: 'Wait for changes',
  description: `Notifications only; pull the changes with \`POST /api/sync\`. With \`Accept: text/event-stream\` the response is a
stream of server-sent events: \`event: change\`, \`data: {"head": n}\`, \`id: n\` after each commit (several may share an
event), immediately if there are changes after \`Last-Event-ID\`, and a comment every 15 seconds. Otherwise the response
waits up to \`wait\` seconds (at most 25) for a position after \`since\`.

A stream ends when its credential does, and after about five minutes: reconnect with \`Last-Event-ID\`, as browsers do.
Listening does not extend a session. At most 500 streams per company and process (503).`,
  query: z.object({
    since: feedPosition.optional().meta({ description: 'The last known position' }),
    wait: queryIntOr(0, 0, 25).meta({ description: 'Seconds to wait for a change, at most 25' }),
  }),
  headers: {
    'Last-Event-ID': 'The position of the last event; sent by browsers on reconnect.',
  },
  responses: {
    200: {
      description: 'The position of the feed, as JSON or as an event stream',
      schema: z.object({
        head: z.int().meta({ description: 'The position of the last commit' }),
        changed: z.boolean().meta({ description: 'Whether `head` differs from `since`' }),
      }),
      headers: {
        'Cache-Control': {
          description: '`private, no-store`; of an event stream `private, no-store, no-transform`',
        },
        'X-Accel-Buffering': {
          description: '`no` for event streams: proxies must not buffer them',
          isOptional: true,
        },
      },
      eventStream: 'Events `change` with `data: {"head": n}` and `id: n`, and comments in between',
    },
  },
  errors: [],
  access: byNoteReaders(),
  deadlineMs: null,
});
