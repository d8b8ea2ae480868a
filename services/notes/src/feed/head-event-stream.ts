import { addAbortListener } from 'node:events';
import type { Writable } from 'node:stream';
import type { CompanyId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { readHead } from './ensure-feed.ts';

export type HeadStreamRequest = {
  readonly companyId: CompanyId;
  /** The head the client knows. */
  readonly since: number;
  /** Aborted when the connection has ended. */
  readonly signal: AbortSignal;
};

/** The headers of a response that is a stream of events. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  // Without it nginx and similar proxies buffer events.
  'X-Accel-Buffering': 'no',
} as const;

/** Comments keep proxies and clients from closing the connection as idle. */
const commentMs = 15_000;
/** Clients reconnect this long after a stream ends. */
const retryMs = 1_000;
/**
 * Streams end after about this time. Clients reconnect, so that their credentials are checked again and
 * they spread over newly started processes.
 */
const lifetimeMs = 5 * 60_000;
const lifetimeSpreadMs = 30_000;
/** A client that leaves this much unread is disconnected. */
const unreadBytesMax = 16 * 1024;

/**
 * Subscribes to changes, and returns a function that writes the stream once the headers are sent: one event
 * per head beyond the last one sent. Subscribes before it reads the head, so that no commit is missed.
 */
export const startHeadEventStream = async (
  { db, feed }: Pick<Deps, 'db' | 'feed'>,
  { companyId, since, signal }: HeadStreamRequest,
): Promise<(out: Writable) => void> => {
  let out: Writable | null = null;
  let lastSent = since;
  let head = 0;
  const sendHead = (latest: number): void => {
    head = Math.max(head, latest);
    if (out && head > lastSent) {
      lastSent = head;
      write(out, eventOf(head));
    }
  };
  const stop = feed.subscribe(companyId, sendHead);
  // Also runs for a signal that is already aborted, which fires no event.
  addAbortListener(signal, stop);
  const read = await readHead(db, companyId).catch((error: unknown) => {
    stop();
    throw error;
  });
  // A notification may have arrived during the read; never send an older head.
  head = Math.max(head, read);
  // A position beyond the head is from before a restore and does not count.
  lastSent = since > head ? -1 : since;
  return (opened) => {
    out = opened;
    write(out, `retry: ${retryMs}\n\n`);
    sendHead(head);
    endInTime(out, { closing: feed.closing, signal });
  };
};

const eventOf = (head: number): string =>
  `event: change\nid: ${head}\ndata: ${JSON.stringify({ head })}\n\n`;

const write = (out: Writable, text: string): void => {
  if (out.writableLength > unreadBytesMax) {
    out.destroy();
  } else {
    out.write(text);
  }
};

/** Writes comments at intervals. Ends the stream after its lifetime, or when the process shuts down. */
const endInTime = (
  out: Writable,
  { closing, signal }: { readonly closing: AbortSignal; readonly signal: AbortSignal },
): void => {
  const end = () => out.end();
  const comments = setInterval(() => write(out, ': keep-alive\n\n'), commentMs);
  const lifetime = setTimeout(end, lifetimeMs + Math.random() * lifetimeSpreadMs);
  const closingListener = addAbortListener(closing, end);
  // The client may have disconnected during the read: the timers are then cleared immediately.
  addAbortListener(signal, () => {
    clearInterval(comments);
    clearTimeout(lifetime);
    closingListener[Symbol.dispose]();
    end();
  });
};
