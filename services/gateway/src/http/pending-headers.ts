import type { ServerResponse } from 'node:http';

const pendingHeaders = Symbol('own headers');
type PendingResponse = ServerResponse & { [pendingHeaders]?: string[] };

/**
 * Headers of ours for an answer, whoever gives it. They wait beside it until that is known: when a service
 * does, all its headers are written at once, which Node only does quickly if none was set before: a read took
 * the gateway 184 instead of 190 µs.
 */
export const addPendingHeaders = (
  res: ServerResponse,
  ...namesAndValues: readonly string[]
): void => {
  ((res as PendingResponse)[pendingHeaders] ??= []).push(...namesAndValues);
};

/** Names and values in turn. */
export const pendingHeadersOf = (res: ServerResponse): readonly string[] =>
  (res as PendingResponse)[pendingHeaders] ?? [];

/** Sets them on an answer of our own, unless its headers are out. */
export const applyPendingHeaders = (res: ServerResponse): void => {
  const headers = res.headersSent ? [] : pendingHeadersOf(res);
  for (let at = 0; at < headers.length; at += 2) {
    res.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
  }
};
