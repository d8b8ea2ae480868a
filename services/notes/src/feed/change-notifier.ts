import { AppError, type CompanyId } from '@commonplace/contracts/core';

/** Called with the head of a company's feed. */
type HeadListener = (head: number) => void;

/** The listeners of this process, by company. Notifications are hints; the database is authoritative. */
export type ChangeNotifier = {
  /** Notifies listeners that the feed of a company has reached this head, in any process. */
  readonly publish: (companyId: CompanyId, head: number) => void;
  /** Calls the listener with new heads. Returns a function that unsubscribes it. */
  readonly subscribe: (companyId: CompanyId, listener: HeadListener) => () => void;
  /** The companies with listeners. */
  readonly companies: () => CompanyId[];
  readonly listenerCount: () => number;
  /** Aborted when the process shuts down: listeners stop waiting. */
  readonly closing: AbortSignal;
  readonly close: () => void;
};

/** Listeners per company and process. */
const listenersMax = 500;
/** Commits within this time are one notification. */
const burstMs = 20;

type Subscription = { head: number; readonly listeners: Set<HeadListener>; isScheduled: boolean };

/** Creates the change notifier of a process. */
export const createChangeNotifier = (): ChangeNotifier => {
  const subscriptions = new Map<CompanyId, Subscription>();
  const closing = new AbortController();

  const notifyListeners = (entry: Subscription): void => {
    entry.isScheduled = false;
    entry.listeners.forEach((listener) => listener(entry.head));
  };

  const publish = (companyId: CompanyId, head: number): void => {
    const entry = subscriptions.get(companyId);
    if (!entry || head <= entry.head) {
      return;
    }
    entry.head = head;
    if (!entry.isScheduled) {
      entry.isScheduled = true;
      setTimeout(notifyListeners, burstMs, entry);
    }
  };

  const subscribe = (companyId: CompanyId, listener: HeadListener): (() => void) => {
    const entry = subscriptions.get(companyId) ?? {
      head: 0,
      listeners: new Set(),
      isScheduled: false,
    };
    assertRoom(entry, closing.signal);
    subscriptions.set(companyId, entry);
    entry.listeners.add(listener);
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size === 0 && subscriptions.get(companyId) === entry) {
        subscriptions.delete(companyId);
      }
    };
  };

  return {
    publish,
    subscribe,
    companies: () => [...subscriptions.keys()],
    listenerCount: () =>
      [...subscriptions.values()].reduce((sum, entry) => sum + entry.listeners.size, 0),
    closing: closing.signal,
    close: () => closing.abort(),
  };
};

const assertRoom = ({ listeners }: Subscription, closing: AbortSignal): void => {
  if (closing.aborted) {
    throw new AppError('service_unavailable');
  }
  if (listeners.size >= listenersMax) {
    throw new AppError('busy', 'Too many requests wait for changes of this company.', {
      headers: { 'Retry-After': '5' },
    });
  }
};
