import { lookup } from '@commonplace/db';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { readHead } from '../feed/ensure-feed.ts';
import { listChangedNotes } from '../queries/changed-notes.ts';
import type { McpSession } from './mcp-session.ts';
import { uriOf } from './resources.ts';

/** Changed notes that are read and announced at once. */
const announcedMax = 500;

/** Events of one subscription, from the change feed of its company. */
export type ChangeEvents = {
  readonly bus: ServerEventBus;
  readonly stop: () => void;
};

/**
 * Subscribes to the changes of the company of a session. Subscribes before it reads the head, so that no commit is
 * missed. Every subscription has events of its own: those of another company never reach it.
 */
export const startChangeEvents = async (
  { deps: { db, feed }, company }: McpSession,
  onError: (error: unknown) => void,
): Promise<ChangeEvents> => {
  const listeners = new Set<(event: ServerEvent) => void>();
  let known: number | null = null;
  let head = 0;
  let announcing: Promise<void> | null = null;
  const announce = async (): Promise<void> => {
    while (known !== null && head > known) {
      // The head may rise while the rows are read, and they need not include those changes.
      const upTo = head;
      const rows = await lookup(db, company.reach, (tx) =>
        listChangedNotes(tx, { after: known ?? 0, limit: announcedMax }),
      );
      const last = rows.at(-1)?.changeNo ?? upTo;
      known = rows.length === announcedMax ? last : Math.max(upTo, last);
      const events: ServerEvent[] = [
        ...rows.map(({ id }) => ({ kind: 'resource_updated', uri: uriOf(id) }) as const),
        ...(rows.length > 0 ? [{ kind: 'resources_list_changed' } as const] : []),
      ];
      events.forEach((event) => listeners.forEach((listener) => listener(event)));
    }
  };
  const onHead = (latest: number): void => {
    head = Math.max(head, latest);
    announcing ??= announce()
      .catch(onError)
      .finally(() => {
        announcing = null;
      });
  };
  const stop = feed.subscribe(company.id, onHead);
  try {
    known = await readHead(db, company.id);
  } catch (error) {
    stop();
    throw error;
  }
  return {
    stop,
    bus: {
      publish: (event) => listeners.forEach((listener) => listener(event)),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
};
