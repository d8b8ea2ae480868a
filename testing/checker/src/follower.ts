import { setTimeout as sleep } from 'node:timers/promises';
import { createCopy, type Copy } from './copy.ts';
import type { History } from './history.ts';
import { pullAll, type Puller } from './pull.ts';
import type { CheckedCompany } from './world.ts';

/** Somebody who pulls when the change feed says so, and never otherwise. */
export type Follower = {
  readonly who: string;
  readonly copy: Copy;
  /** True while nothing is being pulled. */
  readonly isIdle: () => boolean;
  readonly stop: () => Promise<void>;
};

/** Listens until it is stopped, with `Last-Event-ID` when the stream has broken off. */
export const startFollower = (who: string, company: CheckedCompany, history: History): Follower => {
  const copy = createCopy(who, company.companyId, history);
  const puller: Puller = { who, caller: company, copy, history, limit: 100, cursor: null };
  const stopping = new AbortController();
  let heard = 0;
  let pulledFor = -1;
  let lastEventId: string | null = null;

  const pullWhenTold = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (heard === pulledFor) {
        await sleep(10);
        continue;
      }
      const target = heard;
      await pullAll(puller);
      pulledFor = target;
    }
  };

  const listen = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await readEvents(company, { lastEventId, signal: stopping.signal }, (id) => {
          lastEventId = id;
          heard += 1;
          history.count('hints');
        });
      } catch {
        // It broke off, as streams do.
      }
      await sleep(100);
    }
  };

  const work = Promise.all([pullWhenTold(), listen()]);
  return {
    who,
    copy,
    isIdle: () => heard === pulledFor,
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
