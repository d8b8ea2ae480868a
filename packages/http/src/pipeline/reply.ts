import type { StreamedBody } from './route-types.ts';

type ReplyHeaders = Readonly<Record<string, string>>;

/**
 * Creates a reply with a literal status, so that the contract can check it:
 * `reply(201, note, { ETag: '"1"' })`, `reply(204)`.
 */
export function reply<const Status extends number>(status: Status): { status: Status };
export function reply<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers?: ReplyHeaders,
): { status: Status; body: Body; headers: ReplyHeaders };
export function reply(status: number, body?: unknown, headers: ReplyHeaders = {}) {
  return { status, body, headers };
}

/** Creates a reply whose list is streamed. */
export const streamed = <const Status extends number, Body, List extends keyof Body>(
  status: Status,
  parts: StreamedBody<Body, List>,
) => ({ status, streamed: parts });
