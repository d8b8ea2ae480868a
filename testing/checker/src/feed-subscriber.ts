import { setTimeout as sleep } from 'node:timers/promises';
import type { Replica } from './replica.ts';
import type { History } from './history.ts';
import { createPuller, pullAll } from './pull.ts';
import type { CheckedCompany } from './environment.ts';

/** A client that pulls only on events of the change feed. */
export type FeedSubscriber = {
  readonly actor: string;
  readonly replica: Replica;
  /** True when every received event has been pulled. */
  readonly isIdle: () => boolean;
  readonly stop: () => Promise<void>;
};

/** Subscribes until stopped; reconnects with `Last-Event-ID`. */
export const startFeedSubscriber = (
  actor: string,
  company: CheckedCompany,
  history: History,
): FeedSubscriber => {
  const puller = createPuller({ actor, company, history, limit: 100 });
  const stopping = new AbortController();
  let receivedCount = 0;
  let pulledCount = -1;
  let lastEventId: string | null = null;

  const pullOnEvents = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (receivedCount === pulledCount) {
        await sleep(10);
        continue;
      }
      const target = receivedCount;
      await pullAll(puller);
      pulledCount = target;
    }
  };

  const listen = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await readEvents(company, { lastEventId, signal: stopping.signal }, (id) => {
          lastEventId = id;
          receivedCount += 1;
          history.count('feed events');
        });
      } catch {
        // The stream broke; reconnect below.
      }
      await sleep(100);
    }
  };

  const work = Promise.all([pullOnEvents(), listen()]);
  return {
    actor,
    replica: puller.replica,
    isIdle: () => receivedCount === pulledCount,
    stop: async () => {
      stopping.abort();
      await work;
    },
  };
};

type Listening = { readonly lastEventId: string | null; readonly signal: AbortSignal };

const readEvents = async (
  { baseUrl, key }: CheckedCompany,
  { lastEventId, signal }: Listening,
  onEvent: (id: string) => void,
): Promise<void> => {
  const response = await fetch(`${baseUrl}/api/notes/changes`, {
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    },
  });
  let text = '';
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const id = /^id: (\d+)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (id !== undefined) {
        onEvent(id);
      }
    }
  }
};
