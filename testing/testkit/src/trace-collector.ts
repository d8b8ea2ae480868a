import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSpans, type ReceivedSpan } from './read-spans.ts';

const waitMaxMs = 20_000;

/** Starts a collector of traces (OTLP over HTTP) on a free port. */
export const startTraceCollector = async () => {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const authorizations: (string | undefined)[] = [];
  let status = 200;
  let stall: PromiseWithResolvers<void> | null = null;
  const server = createServer((req, res) => {
    void (async () => {
      const body = await buffer(req);
      bodies.push(body);
      authorizations.push(req.headers.authorization);
      await stall?.promise;
      if (status === 200) {
        spans.push(...readSpans(body));
      }
      res.writeHead(status, { 'Content-Type': 'application/x-protobuf' }).end();
    })().catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** All spans it accepted. */
    spans,
    /** What it was sent, whether it accepted it or not. */
    bodies,
    authorizations,
    /** The status of its responses from now on. */
    respondWith: (next: number) => {
      status = next;
    },
    /** Responds to nothing until the returned function is called. */
    stall: () => {
      const stalled = Promise.withResolvers<void>();
      stall = stalled;
      return () => {
        stall = null;
        stalled.resolve();
      };
    },
    waitFor: <Found>(find: Find<Found>) => waitFor(spans, find),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

type Find<Found> = (received: readonly ReceivedSpan[]) => Found | undefined;

/** Waits until `find` finds something in the spans; fails after 20 s. */
const waitFor = async <Found>(spans: readonly ReceivedSpan[], find: Find<Found>) => {
  for (const endAtMs = performance.now() + waitMaxMs; performance.now() < endAtMs;) {
    const found = find(spans);
    if (found !== undefined) {
      return found;
    }
    await sleep(50);
  }
  const names = spans.map(({ service, name }) => `${service}: ${name}`);
  throw new Error(`The collector has no such span, but ${names.join(', ')}`);
};

export type TraceCollector = Awaited<ReturnType<typeof startTraceCollector>>;
