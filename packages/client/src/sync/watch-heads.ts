import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { ApiClient } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import { sleep } from '../sleep.ts';
import { pauseAfter } from './pause-after.ts';

/** Where the hints come from, and who hears them. */
export type WatchOptions = {
  readonly api: ApiClient;
  readonly signal: AbortSignal;
  /** The position known already: only another one is told. */
  readonly since?: number | undefined;
  /** Something is newer than what was heard before: time to synchronise. */
  readonly onHead: (head: number) => void;
  /** The feed broke off and is asked for again; told once for an outage. */
  readonly onTrouble?: (error: unknown) => void;
  /** The feed is open again after trouble: something may have been missed meanwhile. */
  readonly onRecovery?: () => void;
};

/** What is known of the feed. */
type Position = { head: number | null; hasTrouble: boolean };

const longestPauseMs = 15_000;
/** An answer that ends sooner than this without news was none: the next request waits. */
const shortestListenMs = 5_000;

/**
 * Listens to the change feed of the company until told to stop: server-sent events, and long polls
 * where a proxy in between holds a stream back. Resolves when the signal is aborted; rejects when the
 * server refuses the caller for good.
 *
 * Every request but the first follows a pause with jitter, and the pause grows as long as requests
 * fail or end at once without news: a stream that is closed as soon as it is open must not be a loop.
 */
export const watchHeads = async (options: WatchOptions): Promise<void> => {
  const { signal } = options;
  const position: Position = { head: options.since ?? null, hasTrouble: false };
  let fruitless = 0;
  while (!signal.aborted) {
    const before = position.head;
    const sinceMs = performance.now();
    let failure: unknown = null;
    try {
      await (fruitless % 2 === 0 ? readStream(options, position) : poll(options, position));
    } catch (error) {
      failure = error ?? new Error('The feed broke off.');
    }
    if (signal.aborted) {
      return;
    }
    if (isFinal(failure)) {
      throw failure;
    }
    const isNews = position.head !== before;
    const isFruitful = isNews || (!failure && performance.now() - sinceMs >= shortestListenMs);
    fruitless = isFruitful ? 0 : fruitless + 1;
    if (failure && !position.hasTrouble) {
      position.hasTrouble = true;
      options.onTrouble?.(failure);
    }
    const random = Math.random();
    const pauseMs = pauseAfter({
      failures: fruitless,
      error: failure,
      longestMs: longestPauseMs,
      random,
    });
    await sleep(pauseMs, signal).catch(() => undefined);
  }
};

const readStream = async (options: WatchOptions, position: Position): Promise<void> => {
  const { data } = await options.api.get('/api/notes/changes', {
    headers: {
      accept: 'text/event-stream',
      ...(position.head === null ? {} : { 'Last-Event-ID': String(position.head) }),
    },
    parseAs: 'stream',
    signal: options.signal,
  });
  recover(options, position);
  // A request that was answered is held weakly by fetch, and once it is collected its signal no longer
  // ends the body: the pipe has to hear of it itself.
  const events = (data as unknown as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream(), { signal: options.signal })
    .pipeThrough(new EventSourceParserStream());
  for await (const { event, id } of events as unknown as AsyncIterable<HeadEvent>) {
    if (event === 'change') {
      hear(options, position, Number(id));
    }
  }
};

type HeadEvent = { readonly event?: string; readonly id?: string };

const poll = async (options: WatchOptions, position: Position): Promise<void> => {
  const query = position.head === null ? {} : { since: position.head, wait: 25 };
  const { data } = await options.api.get('/api/notes/changes', {
    params: { query },
    signal: options.signal,
  });
  recover(options, position);
  hear(options, position, (data as { readonly head: number }).head);
};

const recover = ({ onRecovery }: WatchOptions, position: Position): void => {
  if (position.hasTrouble) {
    position.hasTrouble = false;
    onRecovery?.();
  }
};

const hear = ({ onHead }: WatchOptions, position: Position, head: number): void => {
  // A restore may set the feed back, which is as good a reason to look as a step forward.
  if (Number.isFinite(head) && head !== position.head) {
    position.head = head;
    onHead(head);
  }
};

/** The caller itself is refused: asking again would change nothing. */
const isFinal = (error: unknown): boolean =>
  error instanceof ProblemError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 408 &&
  error.status !== 429;
