import type { StreamedBody } from './route-types.ts';

type ReplyHeaders = Readonly<Record<string, string>>;

/**
 * Makes a reply and keeps its status literal, so that the contract can check it:
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

/** Makes a reply whose body has a list that is sent while it is made. */
export const streamed = <const Status extends number, Body, List extends keyof Body>(
  status: Status,
  parts: StreamedBody<Body, List>,
) => ({ status, streamed: parts });
