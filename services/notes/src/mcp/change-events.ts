import { runPeriodically } from '@commonplace/concurrency';
import { lookup } from '@commonplace/db';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { readHead } from '../feed/ensure-feed.ts';
import { listChangedNotes } from '../queries/changed-notes.ts';
import type { McpSession } from './mcp-session.ts';
import { uriOf } from './resources.ts';
import { byNote } from './subscribed-uris.ts';

/** Changed notes that are read and announced at once. */
const announcedMax = 500;

/** When changes that could not be read are read again; later with each failure in a row. */
const retryMs = 1_000;

/** Events of one subscription, from the change feed of its company. */
export type ChangeEvents = {
  readonly bus: ServerEventBus;
  readonly stop: () => void;
};

type Listener = (event: ServerEvent) => void;

/** What a subscription has announced. */
type Announced = {
  readonly listeners: Set<Listener>;
  /** The newest change that is announced; null until the subscription has a beginning. */
  known: number | null;
  /** The newest change there is. */
  head: number;
  /** The URIs of notes as the client subscribed to them, by which the SDK compares. */
  readonly uris: ReturnType<typeof byNote>;
};

/**
 * Subscribes to the changes of the company of a session. Subscribes before it reads the head, so that no commit is
 * missed. Every subscription has events of its own: those of another company never reach it.
 */
export const startChangeEvents = async (
  session: McpSession,
  onError: (error: unknown) => void,
  uris: Iterable<string> = [],
): Promise<ChangeEvents> => {
  const { deps, company } = session;
  const announced: Announced = { listeners: new Set(), known: null, head: 0, uris: byNote(uris) };
  const stopping = new AbortController();
  let announcing: Promise<void> | null = null;
  const run = () => announce(session, announced).then(() => true);
  const onHead = (latest: number): void => {
    announced.head = Math.max(announced.head, latest);
    announcing ??= runPeriodically({ run, pauseMs: retryMs, onError }, stopping.signal).then(() => {
      announcing = null;
      if (!stopping.signal.aborted && isBehind(announced)) {
        onHead(0);
      }
    });
  };
  const unsubscribe = deps.feed.subscribe(company.id, onHead);
  const stop = (): void => {
    unsubscribe();
    stopping.abort();
  };
  try {
    announced.known = await readHead(deps.db, company.id);
  } catch (error) {
    stop();
    throw error;
  }
  return { stop, bus: busOf(announced, () => onHead(0)) };
};

const busOf = ({ listeners }: Announced, onListener: () => void): ServerEventBus => ({
  publish: (event) => listeners.forEach((listener) => listener(event)),
  subscribe: (listener) => {
    listeners.add(listener);
    // What was committed while the head was read has no other occasion.
    onListener();
    return () => void listeners.delete(listener);
  },
});

const isBehind = ({ known, listeners, head }: Announced): boolean =>
  known !== null && listeners.size > 0 && head > known;

/** Announces the changes up to the head to everybody who listens. */
const announce = async (
  { deps: { db }, company }: McpSession,
  announced: Announced,
): Promise<void> => {
  const { listeners } = announced;
  while (announced.known !== null && isBehind(announced)) {
    // The head may rise while the rows are read, and they need not include those changes.
    const { head: upTo, known: after } = announced;
    const rows = await lookup(db, company.reach, (tx) =>
      listChangedNotes(tx, { after, limit: announcedMax }),
    );
    const last = rows.at(-1)?.changeNo ?? upTo;
    announced.known = rows.length === announcedMax ? last : Math.max(upTo, last);
    const events: ServerEvent[] = [
      ...rows.flatMap(({ id }) =>
        (announced.uris.get(id) ?? [uriOf(id)]).map(
          (uri) => ({ kind: 'resource_updated', uri }) as const,
        ),
      ),
      ...(rows.length > 0 ? [{ kind: 'resources_list_changed' } as const] : []),
    ];
    events.forEach((event) => listeners.forEach((listener) => listener(event)));
  }
};
