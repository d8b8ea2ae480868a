import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { ApiClient } from '../api-client.ts';
import { reconnectDelay, sleep } from '../retry.ts';
import { isRefusal } from './is-refusal.ts';
import { startSilenceTimer } from './silence-timer.ts';

/** Where the change feed is, and the callbacks for its events. */
export type WatchOptions = {
  readonly api: ApiClient;
  readonly signal: AbortSignal;
  /** The head known already; only a different one is reported. */
  readonly since?: number | undefined;
  /** Receives a new head: it is time to synchronise. */
  readonly onHead: (head: number) => void;
  /** Receives the first error of an outage; the feed reconnects. */
  readonly onError?: (error: unknown) => void;
  /** Called when the feed is open again after an error: changes may have been missed. */
  readonly onRecovery?: () => void;
  /**
   * A stream that is silent for so many milliseconds is given up: the server sends something every 15 seconds. Where nothing
   * came but its headers, long polls follow for twenty times as long. 30 seconds unless given.
   */
  readonly silenceMsMax?: number;
};

/** What is known about the feed, and until when it is polled, by `performance.now()`. */
type FeedState = { head: number | null; hasFailed: boolean; pollsUntilMs: number };

const delayMaxMs = 15_000;
/** A request that ends sooner than this without a new head counts as a failure. */
const usefulRequestMinMs = 5_000;
const silenceMsMaxDefault = 30_000;
/** A proxy that buffers streams goes on to do so; a connection that broke before its first byte is rare. */
const pollsPerSilence = 20;

/**
 * Watches the company's change feed until the signal is aborted: with server-sent events, or with long
 * polls where a proxy buffers streams. Rejects when the server refuses the caller permanently.
 *
 * Every request but the first waits for a delay with jitter. The delay grows while requests fail or end
 * at once without a new head, so that a stream that closes right after opening is not a busy loop.
 */
export const watchHeads = async (options: WatchOptions): Promise<void> => {
  const { signal } = options;
  const state: FeedState = { head: options.since ?? null, hasFailed: false, pollsUntilMs: 0 };
  let uselessRequests = 0;
  while (!signal.aborted) {
    const headBefore = state.head;
    const startedAtMs = performance.now();
    let error: unknown = null;
    const isStream = uselessRequests % 2 === 0 && startedAtMs >= state.pollsUntilMs;
    try {
      await (isStream ? readStream(options, state) : poll(options, state));
    } catch (caught) {
      error = caught ?? new Error('The change feed ended.');
    }
    if (signal.aborted) {
      return;
    }
    if (isPermanent(error)) {
      throw error;
    }
    const hasNewHead = state.head !== headBefore;
    const isUseful =
      hasNewHead || (!error && performance.now() - startedAtMs >= usefulRequestMinMs);
    uselessRequests = isUseful ? 0 : uselessRequests + 1;
    if (error && !state.hasFailed) {
      state.hasFailed = true;
      options.onError?.(error);
    }
    const random = Math.random();
    const delayMs = reconnectDelay({
      failures: uselessRequests,
      error,
      maxDelayMs: delayMaxMs,
      random,
    });
    await sleep(delayMs, signal).catch(() => undefined);
  }
};

/**
 * Reads a stream until it ends or is silent. Changes that a silent one kept back are reported by the request that follows. One
 * that does not begin is an outage.
 */
const readStream = async (options: WatchOptions, state: FeedState): Promise<void> => {
  const { silenceMsMax = silenceMsMaxDefault } = options;
  const silence = startSilenceTimer(silenceMsMax);
  let received = 'nothing' as Received;
  const onReceived = (what: Received): void => {
    received = what;
    silence.restart();
  };
  try {
    await readEvents(options, state, { signal: silence.signal, onReceived });
  } catch (error) {
    if (!silence.signal.aborted || options.signal.aborted || received === 'nothing') {
      throw error;
    }
    if (received === 'headers') {
      state.pollsUntilMs = performance.now() + silenceMsMax * pollsPerSilence;
    }
  } finally {
    silence.stop();
  }
};

/** What came of a stream. */
type Received = 'nothing' | 'headers' | 'content';

type Silence = {
  readonly signal: AbortSignal;
  readonly onReceived: (what: Received) => void;
};

const readEvents = async (
  options: WatchOptions,
  state: FeedState,
  silence: Silence,
): Promise<void> => {
  const signal = AbortSignal.any([options.signal, silence.signal]);
  const { data } = await options.api.get('/api/notes/changes', {
    headers: {
      accept: 'text/event-stream',
      ...(state.head === null ? {} : { 'Last-Event-ID': String(state.head) }),
    },
    parseAs: 'stream',
    signal,
  });
  silence.onReceived('headers');
  reportRecovery(options, state);
  const noticed = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      silence.onReceived('content');
      controller.enqueue(chunk);
    },
  });
  // After the response, fetch holds its request only weakly. Once that is collected, its signal no longer
  // ends the body, so the pipe needs the signal too.
  const events = data
    .pipeThrough(noticed, { signal })
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { event, id } of events as unknown as AsyncIterable<HeadEvent>) {
    if (event === 'change') {
      reportHead(options, state, Number(id));
    }
  }
};

type HeadEvent = { readonly event?: string; readonly id?: string };

const poll = async (options: WatchOptions, state: FeedState): Promise<void> => {
  const query = state.head === null ? {} : { since: state.head, wait: 25 };
  const { data } = await options.api.get('/api/notes/changes', {
    params: { query },
    signal: options.signal,
  });
  reportRecovery(options, state);
  reportHead(options, state, data.head);
};

const reportRecovery = ({ onRecovery }: WatchOptions, state: FeedState): void => {
  if (state.hasFailed) {
    state.hasFailed = false;
    onRecovery?.();
  }
};

const reportHead = ({ onHead }: WatchOptions, state: FeedState, head: number): void => {
  // A restore may move the head backwards, which also requires a synchronisation.
  if (Number.isFinite(head) && head !== state.head) {
    state.head = head;
    onHead(head);
  }
};

/** The request itself is refused: a retry cannot succeed. */
const isPermanent = (error: unknown): boolean =>
  isRefusal(error) &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 408 &&
  error.status !== 429;
