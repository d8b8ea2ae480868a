import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Access } from '../config.ts';
import { forwardMessage } from './forward-message.ts';
import { isMessage, isRequest, type Message } from './message.ts';
import { parseLine } from './parse-line.ts';

export type McpOptions = {
  /** Lines of JSON-RPC from the client. */
  readonly input: Readable;
  /** Gets lines of JSON-RPC, and nothing else. */
  readonly output: Writable;
  readonly access: Access;
  /** How long a request is retried while the gateway is unavailable. */
  readonly retryMs?: number;
};

const retryMsDefault = 120_000;
/** Requests in progress get this long when the client leaves. */
const drainMs = 5_000;
const parseError = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };

/**
 * Serves MCP over standard input and output, by forwarding every message to `/mcp` of the gateway. It holds no
 * state but what is in flight, so a gateway may restart at any time. Resolves when the input ends.
 */
export const runMcp = async ({
  input,
  output,
  access,
  retryMs = retryMsDefault,
}: McpOptions): Promise<void> => {
  const running = new Map<
    Message,
    { readonly stop: AbortController; readonly done: Promise<void> }
  >();
  let negotiated: string | null = null;
  const connection = { endsAtMs: null };
  const write = async (message: unknown): Promise<void> => {
    if (!output.write(`${JSON.stringify(message)}\n`)) {
      await once(output, 'drain');
    }
  };
  const forward = (message: Message): void => {
    const stop = new AbortController();
    const done = forwardMessage(message, {
      access,
      retryMs,
      connection,
      signal: stop.signal,
      negotiated: () => negotiated,
      onMessage: (sent) => {
        negotiated =
          message.method === 'initialize' ? (revisionIn(sent) ?? negotiated) : negotiated;
        return write(sent);
      },
    }).finally(() => running.delete(message));
    running.set(message, { stop, done });
  };
  const cancel = ({ params }: Message): void => {
    const id = params?.['requestId'];
    [...running].filter(([message]) => message.id === id).forEach(([, { stop }]) => stop.abort());
  };
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const messages = line.trim() === '' ? [] : parseLine(line);
    if (messages === null) {
      await write(parseError);
    }
    // A cancelled request has no response: to close its connection is all the gateway needs.
    for (const message of messages ?? []) {
      (message.method === 'notifications/cancelled' ? cancel : forward)(message);
    }
  }
  await drain(running);
};

const revisionIn = (sent: unknown): string | null => {
  const result = isMessage(sent) && 'result' in sent ? sent.result : null;
  const revision =
    typeof result === 'object' && result !== null && 'protocolVersion' in result
      ? result.protocolVersion
      : null;
  return typeof revision === 'string' ? revision : null;
};

type Running = ReadonlyMap<
  Message,
  { readonly stop: AbortController; readonly done: Promise<void> }
>;

/** Waits for the requests in progress; subscriptions end at once. */
const drain = async (running: Running): Promise<void> => {
  const entries = [...running];
  const isOpen = ([message]: (typeof entries)[number]) =>
    !isRequest(message) || message.method !== 'subscriptions/listen';
  entries.filter((entry) => !isOpen(entry)).forEach(([, { stop }]) => stop.abort());
  const timer = setTimeout(() => entries.forEach(([, { stop }]) => stop.abort()), drainMs);
  await Promise.all(entries.map(([, { done }]) => done));
  clearTimeout(timer);
};
