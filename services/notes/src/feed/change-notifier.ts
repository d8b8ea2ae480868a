import { AppError, type CompanyId } from '@commonplace/contracts/core';

type HeadListener = (head: number) => void;

/** Who in this process waits for changes of which company. It only hints; truth is in the database. */
export type ChangeNotifier = {
  /** The feed of a company has come to this head, here or on another process. */
  readonly publish: (companyId: CompanyId, head: number) => void;
  /** Calls the listener with heads that may be new to it, until it is stopped. */
  readonly subscribe: (companyId: CompanyId, listener: HeadListener) => () => void;
  /** The companies that somebody listens to. */
  readonly companies: () => CompanyId[];
  readonly listenerCount: () => number;
  /** Aborted when the process shuts down: listeners end what they wait for. */
  readonly closing: AbortSignal;
  readonly close: () => void;
};

/** Listeners of one company in one process. */
const listenersMax = 500;
/** A burst of commits within this time is one hint. */
const burstMs = 20;

type Listened = { head: number; readonly listeners: Set<HeadListener>; isTelling: boolean };

/** Opens the feed of a process. */
export const createChangeNotifier = (): ChangeNotifier => {
  const listened = new Map<CompanyId, Listened>();
  const closing = new AbortController();

  const tell = (entry: Listened): void => {
    entry.isTelling = false;
    entry.listeners.forEach((listener) => listener(entry.head));
  };

  const announce = (companyId: CompanyId, head: number): void => {
    const entry = listened.get(companyId);
    if (!entry || head <= entry.head) {
      return;
    }
    entry.head = head;
    if (!entry.isTelling) {
      entry.isTelling = true;
      setTimeout(tell, burstMs, entry);
    }
  };

  const listen = (companyId: CompanyId, listener: HeadListener): (() => void) => {
    const entry = listened.get(companyId) ?? { head: 0, listeners: new Set(), isTelling: false };
    assertRoom(entry, closing.signal);
    listened.set(companyId, entry);
    entry.listeners.add(listener);
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size === 0 && listened.get(companyId) === entry) {
        listened.delete(companyId);
      }
    };
  };

  return {
    publish: announce,
    subscribe: listen,
    companies: () => [...listened.keys()],
    listenerCount: () =>
      [...listened.values()].reduce((sum, entry) => sum + entry.listeners.size, 0),
    closing: closing.signal,
    close: () => closing.abort(),
  };
};

const assertRoom = ({ listeners }: Listened, closing: AbortSignal): void => {
  if (closing.aborted) {
    throw new AppError('service_unavailable', undefined, { headers: { 'Retry-After': '1' } });
  }
  if (listeners.size >= listenersMax) {
    throw new AppError('busy', 'Too many wait for changes of this company.', {
      headers: { 'Retry-After': '5' },
    });
  }
};
