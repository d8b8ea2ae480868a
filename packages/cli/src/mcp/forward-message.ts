import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { backOffMs } from '../back-off.ts';
import type { Access } from '../config.ts';
import { codeOf } from '../describe-error.ts';
import {
  failureMessage,
  failureOf,
  noCredential,
  refusalIn,
  unavailable,
  type Failure,
} from './failure-message.ts';
import { isMessage, isRequest, type Message } from './message.ts';
import { messageHeaders } from './message-headers.ts';
import { isAcknowledgement, missedChanges } from './missed-changes.ts';

export type Forwarding = {
  readonly access: Access;
  /** The revision that `initialize` agreed on. */
  readonly negotiated: () => string | null;
  /** Takes every message of the server, in order. */
  readonly onMessage: (message: unknown) => Promise<void>;
  /** Aborted when the client cancels the request or leaves. */
  readonly signal: AbortSignal;
  /** How long a request is retried. */
  readonly retryMs: number;
  /** When a client that connects gets the reason: some send a second request after the first has failed. */
  readonly connection: { endsAtMs: number | null };
};

/** Longer than the longest wait of a tool. */
const attemptTimeoutMs = 60_000;
const delays = { firstMs: 100, maxMs: 2_000 };
/**
 * Of a client that connects. Claude Code and Codex wait 30 seconds and then know no reason; within them Claude Code
 * starts the program a second time after the first has failed.
 */
const connectRetryMsMax = 8_000;
const connectAttemptTimeoutMs = { max: 5_000, min: 1_000 } as const;
const connecting: ReadonlySet<string | undefined> = new Set(['initialize', 'server/discover']);
const retryable: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Sends a message to the gateway until it has its response: a gateway that restarts costs a delay and no result. A
 * key makes repeated tool calls one. A subscription is opened again whenever its stream ends without its result, and then
 * announces all that it is about.
 */
export const forwardMessage = async (message: Message, forwarding: Forwarding): Promise<void> => {
  const { signal, connection, onMessage } = forwarding;
  const isSubscription = message.method === 'subscriptions/listen';
  const endsAtMs = endOf(message, forwarding);
  const key = randomUUID();
  const seen = { isAcknowledged: false };
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const outcome = await send(message, {
      ...forwarding,
      number: attempt,
      key,
      isSubscription,
      seen,
      endsAtMs,
    });
    if (outcome === 'done' || signal.aborted) {
      connection.endsAtMs = outcome === 'done' ? null : connection.endsAtMs;
      return;
    }
    const isOver = !isSubscription && performance.now() >= endsAtMs;
    if (outcome.isFinal || isOver) {
      if (isRequest(message)) {
        await onMessage(failureMessage(message, outcome.failure));
      }
      return;
    }
    await sleep(backOffMs(attempt, delays), undefined, { signal }).catch(() => undefined);
  }
};

/** When the retries of a message end. Requests of one client that connects share their time. */
const endOf = ({ method }: Message, { retryMs, connection }: Forwarding): number => {
  const nowMs = performance.now();
  if (!connecting.has(method)) {
    return nowMs + retryMs;
  }
  const endsAtMs = connection.endsAtMs ?? -Infinity;
  // Long after a failure it connects again.
  connection.endsAtMs =
    nowMs < endsAtMs + connectRetryMsMax ? endsAtMs : nowMs + Math.min(retryMs, connectRetryMsMax);
  return connection.endsAtMs;
};

type Attempt = Forwarding & {
  /** From 1. */
  readonly number: number;
  readonly key: string;
  readonly isSubscription: boolean;
  readonly seen: { isAcknowledged: boolean };
  /** When the retries end. */
  readonly endsAtMs: number;
};

type Outcome = 'done' | { readonly failure: Failure; readonly isFinal: boolean };

const lost = (attempt: Attempt, what: string): Outcome => ({
  failure: unavailable(attempt.access.baseUrl, what),
  isFinal: false,
});

const send = async (message: Message, attempt: Attempt): Promise<Outcome> => {
  const { access, isSubscription } = attempt;
  const credential = readCredential(access);
  if (credential === null) {
    return { failure: noCredential, isFinal: attempt.number >= credentialAttemptsMax };
  }
  const { max, min } = connectAttemptTimeoutMs;
  const timeoutMs = connecting.has(message.method)
    ? Math.min(max, Math.max(min, attempt.endsAtMs - performance.now()))
    : attemptTimeoutMs;
  const signal = isSubscription
    ? attempt.signal
    : AbortSignal.any([attempt.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(`${access.baseUrl.replace(/\/$/, '')}/mcp`, {
      method: 'POST',
      // The API never redirects. Another server that does must not receive the message.
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${credential}`,
        ...(message.method === 'tools/call' ? { 'idempotency-key': attempt.key } : {}),
        ...messageHeaders(message, attempt.negotiated()),
      },
      body: JSON.stringify(message),
      signal,
    });
    return await receive(message, response, { ...attempt, credential });
  } catch (error) {
    return lost(attempt, `did not respond: ${reasonOf(error)}`);
  }
};

/** The code of a system error, which fetch puts into the cause, or the message. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (codeOf(error.cause) ?? error.message) : String(error);

/** A file whose key is being replaced is readable again within this many attempts, a second or two. */
const credentialAttemptsMax = 5;

/** Null while its file is missing or has no whole key. */
const readCredential = (access: Access): string | null => {
  try {
    return access.credential();
  } catch {
    return null;
  }
};

const receive = async (
  message: Message,
  response: Response,
  attempt: Attempt & { readonly credential: string },
): Promise<Outcome> => {
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && type.includes('text/event-stream')) {
    return relayEvents(message, response, attempt);
  }
  if (response.status === 202) {
    await response.body?.cancel();
    return 'done';
  }
  if (type.includes('application/json')) {
    const received: unknown = await response.json();
    const refusal = isRequest(message) ? refusalIn(received) : null;
    if (refusal) {
      return { failure: refusal, isFinal: true };
    }
    await attempt.onMessage(received);
    return 'done';
  }
  // A renewed token may have replaced the one that was sent.
  const isRenewed = response.status === 401 && attempt.access.credential() !== attempt.credential;
  const isFinal = !isRenewed && !retryable.has(response.status);
  return isFinal
    ? { failure: await failureOf(response), isFinal }
    : lost(attempt, `responded with HTTP ${response.status}`);
};

/** Passes on what a stream brings. Without the response to the message it was cut. */
const relayEvents = async (
  message: Message,
  { body }: Response,
  attempt: Attempt,
): Promise<Outcome> => {
  const { onMessage, seen } = attempt;
  let hasResponse = !isRequest(message);
  const events = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events ?? []) {
    const sent: unknown = JSON.parse(data);
    const received = isMessage(sent) ? sent : {};
    hasResponse ||= received.id === message.id && received.method === undefined;
    const isRepeated = isAcknowledgement(received) && seen.isAcknowledged;
    seen.isAcknowledged ||= isAcknowledgement(received);
    for (const each of isRepeated ? missedChanges(received) : [sent]) {
      await onMessage(each);
    }
  }
  return hasResponse ? 'done' : lost(attempt, 'cut off its response');
};
