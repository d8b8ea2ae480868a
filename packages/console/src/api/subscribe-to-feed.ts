import { watchHeads } from '@commonplace/client';
import { focusManager } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { knownHeads } from './known-heads.ts';

type Subscription = {
  readonly companyId: string;
  /** The head of the feed differs from that of the notes this tab has loaded. */
  readonly onChange: () => void;
  /** The server rejects the subscription for good. */
  readonly onRejected: () => void;
};

/** Messages between tabs. */
type Message =
  | { readonly kind: 'head'; readonly head: number; readonly isReply: boolean }
  | { readonly kind: 'head-request' }
  /** The server was unavailable: failed requests have to be repeated. */
  | { readonly kind: 'recovery' };

/**
 * Subscribes to the change feed of a company while the tab is visible and in use; returns the function that unsubscribes.
 * On an unattended page, reading what has changed would keep the session alive. All visible tabs of the browser share one
 * event stream: over HTTP/1.1 a browser opens six connections to a host, and a stream holds one of them.
 */
export const subscribeToFeed = (subscription: Subscription): (() => void) => {
  let stop: (() => void) | null = null;
  const follow = (): void => {
    if (focusManager.isFocused()) {
      stop ??= joinChannel(subscription);
    } else {
      stop?.();
      stop = null;
    }
  };
  const unfollow = focusManager.subscribe(follow);
  follow();
  return () => {
    unfollow();
    stop?.();
  };
};

const joinChannel = ({ companyId, onChange, onRejected }: Subscription): (() => void) => {
  const name = `commonplace.feed.${companyId}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const channel = new BroadcastChannel(name);
  const broadcast = (message: Message): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have none
    channel.postMessage(message);
  const updateHead = (head: number): void => {
    if (head !== knownHeads.get(companyId)) {
      knownHeads.set(companyId, head);
      onChange();
    }
  };
  let isLeader = false;
  const lead = (): Promise<void> => {
    isLeader = true;
    return readStream({ companyId, signal, updateHead, broadcast, onChange });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const known = knownHeads.get(companyId);
    if (data.kind === 'head') {
      // A reply may be older than what this tab has loaded itself. An event is always current.
      if (!data.isReply || data.head > (known ?? -1)) {
        updateHead(data.head);
      }
    } else if (data.kind === 'recovery') {
      onChange();
    } else if (isLeader && known !== undefined) {
      broadcast({ kind: 'head', head: known, isReply: true });
    }
  });
  broadcast({ kind: 'head-request' });
  withLeaderLock(name, signal, lead).catch(() => {
    if (!signal.aborted) {
      onRejected();
    }
  });
  return () => {
    stopping.abort();
    channel.close();
  };
};

type StreamOptions = Pick<Subscription, 'companyId' | 'onChange'> & {
  readonly signal: AbortSignal;
  readonly updateHead: (head: number) => void;
  readonly broadcast: (message: Message) => void;
};

/** Reads the event stream on behalf of every tab, until the signal aborts. */
const readStream = (options: StreamOptions): Promise<void> => {
  const { companyId, signal, updateHead, broadcast, onChange } = options;
  return watchHeads({
    api: apiOf(companyId),
    signal,
    since: knownHeads.get(companyId),
    onHead: (head) => {
      broadcast({ kind: 'head', head, isReply: false });
      updateHead(head);
    },
    onRecovery: () => {
      broadcast({ kind: 'recovery' });
      onChange();
    },
  });
};

/** Runs `lead` in one tab at a time. Insecure contexts have no Web Locks: there it runs in every tab. */
const withLeaderLock = (
  name: string,
  signal: AbortSignal,
  lead: () => Promise<void>,
): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(name, { signal }, lead) : lead();
