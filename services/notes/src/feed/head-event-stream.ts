import { addAbortListener } from 'node:events';
import type { Writable } from 'node:stream';
import type { CompanyId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { readHead } from './ensure-feed.ts';

export type HeadStreamRequest = {
  readonly companyId: CompanyId;
  /** The position known already. */
  readonly since: number;
  /** Aborted when the connection has ended. */
  readonly signal: AbortSignal;
};

/** A comment keeps proxies and clients from taking the connection for dead. */
const commentMs = 15_000;
/** Clients come back this long after a stream has ended. */
const retryMs = 1_000;
/**
 * Streams end by themselves after about this time. Clients reconnect, so that their credential is
 * judged from the start and they spread over processes that were started later.
 */
const lifetimeMs = 5 * 60_000;
const lifetimeSpreadMs = 30_000;
/** A client that leaves this much unread has to come again. */
const unreadBytesMax = 16 * 1024;

/**
 * Begins to listen, and gives what writes the stream once the headers are out: one event for a head
 * beyond the last one told. Listening comes before the first look: nothing falls between the two.
 */
export const startHeadEventStream = async (
  { db, feed }: Pick<Deps, 'db' | 'feed'>,
  { companyId, since, signal }: HeadStreamRequest,
): Promise<(out: Writable) => void> => {
  let out: Writable | null = null;
  let told = since;
  let head = 0;
  const tell = (latest: number): void => {
    head = Math.max(head, latest);
    if (out && head > told) {
      told = head;
      write(out, eventOf(head));
    }
  };
  const stop = feed.subscribe(companyId, tell);
  // Also runs for a signal that is aborted already, which fires no event any more.
  addAbortListener(signal, stop);
  const read = await readHead(db, companyId).catch((error: unknown) => {
    stop();
    throw error;
  });
  // A commit may have been told of while the answer was on its way: it is not told of again.
  head = Math.max(head, read);
  // A position that is not reached yet is from before a restore: what was told then counts no more.
  told = since > head ? -1 : since;
  return (opened) => {
    out = opened;
    write(out, `retry: ${retryMs}\n\n`);
    tell(head);
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

/** Comments while it lasts; ends the stream after its lifetime, or when the process shuts down. */
const endInTime = (
  out: Writable,
  { closing, signal }: { readonly closing: AbortSignal; readonly signal: AbortSignal },
): void => {
  const end = () => out.end();
  const comments = setInterval(() => write(out, ': still here\n\n'), commentMs);
  const lifetime = setTimeout(end, lifetimeMs + Math.random() * lifetimeSpreadMs);
  const closingListener = addAbortListener(closing, end);
  // The client may have disconnected while the head was read: then the timers are cleared at once.
  addAbortListener(signal, () => {
    clearInterval(comments);
    clearTimeout(lifetime);
    closingListener[Symbol.dispose]();
    end();
  });
};
