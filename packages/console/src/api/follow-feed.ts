import { watchHeads } from '@commonplace/client';
import { apiOf } from './api.ts';
import { knownHeads } from './known-heads.ts';

type Follower = {
  readonly companyId: string;
  /** The feed is somewhere else than the notes this tab has read. */
  readonly onNews: () => void;
  /** The feed refuses the caller for good. */
  readonly onRefused: () => void;
};

/** What tabs say to each other: a position, or the question for it. */
type Message =
  | { readonly kind: 'position'; readonly head: number; readonly isAnswer: boolean }
  | { readonly kind: 'question' }
  /** The server was away: what failed meanwhile is to be read again. */
  | { readonly kind: 'recovery' };

/**
 * Follows the change feed of a company while the tab is visible, until the returned function is called.
 * All visible tabs of the browser share one event stream: over HTTP/1.1 a browser opens six connections
 * to a host, and a stream holds one of them.
 */
export const followFeed = (follower: Follower): (() => void) => {
  let stop: (() => void) | null = null;
  const adapt = (): void => {
    if (document.visibilityState === 'hidden') {
      stop?.();
      stop = null;
    } else {
      stop ??= listen(follower);
    }
  };
  document.addEventListener('visibilitychange', adapt);
  adapt();
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    stop?.();
  };
};

const listen = ({ companyId, onNews, onRefused }: Follower): (() => void) => {
  const name = `commonplace.feed.${companyId}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const channel = new BroadcastChannel(name);
  const say = (message: Message): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have none
    channel.postMessage(message);
  const hear = (head: number): void => {
    if (head !== knownHeads.get(companyId)) {
      knownHeads.set(companyId, head);
      onNews();
    }
  };
  let isLeader = false;
  const lead = (): Promise<void> => {
    isLeader = true;
    return holdStream({ companyId, signal, hear, say, onNews });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const known = knownHeads.get(companyId);
    if (data.kind === 'position') {
      // An answer may be older than what this tab has asked the server; an event is always new.
      if (!data.isAnswer || data.head > (known ?? -1)) {
        hear(data.head);
      }
    } else if (data.kind === 'recovery') {
      onNews();
    } else if (isLeader && known !== undefined) {
      say({ kind: 'position', head: known, isAnswer: true });
    }
  });
  say({ kind: 'question' });
  whenFirst(name, signal, lead).catch(() => {
    if (!signal.aborted) {
      onRefused();
    }
  });
  return () => {
    stopping.abort();
    channel.close();
  };
};

type Holder = Pick<Follower, 'companyId' | 'onNews'> & {
  readonly signal: AbortSignal;
  readonly hear: (head: number) => void;
  readonly say: (message: Message) => void;
};

/** Holds the stream for every tab, until the signal. */
const holdStream = ({ companyId, signal, hear, say, onNews }: Holder): Promise<void> =>
  watchHeads({
    api: apiOf(companyId),
    signal,
    since: knownHeads.get(companyId),
    onHead: (head) => {
      say({ kind: 'position', head, isAnswer: false });
      hear(head);
    },
    onRecovery: () => {
      say({ kind: 'recovery' });
      onNews();
    },
  });

/** Runs it in one tab at a time. Where pages are no secure context there are no locks: in each of them. */
const whenFirst = (name: string, signal: AbortSignal, lead: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(name, { signal }, lead) : lead();
