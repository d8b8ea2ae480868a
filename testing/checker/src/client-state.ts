import { randomUUID } from 'node:crypto';
import type { SyncChangeResult } from '@commonplace/contracts';
import { createCopy, type Copy } from './copy.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import type { Tracker } from './tracker.ts';
import type { CheckedCompany } from './world.ts';

/** Who a client is, and whom it tells. */
export type ClientOptions = {
  readonly who: string;
  readonly company: CheckedCompany;
  readonly tracker: Tracker;
  readonly history: History;
  readonly random: Random;
  /** Notes that everybody writes to. */
  readonly hotIds: readonly string[];
  /** Notes that begin with a text that is hard on the server, and that text. */
  readonly beginnings: ReadonlyMap<string, string>;
};

/** An edit that was not sent yet. `content` null: delete. */
type Draft = {
  readonly content: string | null;
  readonly base: number | null;
  readonly tokens: readonly string[];
};

/** A change as it is sent. */
type Change = {
  readonly mutationId: string;
  readonly id: string;
  readonly op: 'put' | 'delete';
  readonly baseRevision: number | null;
  readonly note?: { readonly title: string; readonly content: string };
};

/** Changes that are sent again word for word until they are answered. */
export type Request = {
  readonly changes: readonly Change[];
  /** The new words of each note. */
  readonly tokens: ReadonlyMap<string, readonly string[]>;
};

type Sent = { readonly body: object; readonly results: readonly SyncChangeResult[] };

/** A client's store, outbox and cursor, and what it remembers to ask again. */
export type ClientState = ClientOptions & {
  readonly clientId: string;
  readonly copy: Copy;
  readonly drafts: Map<string, Draft>;
  request: Request | null;
  cursor: string | null;
  /** A first pull leaves old deletions out, so nothing is sent again before it is through. */
  isFresh: boolean;
  readonly sent: Sent[];
  readonly cursors: string[];
};

/** A client that knows nothing yet. */
export const newClientState = (options: ClientOptions): ClientState => ({
  ...options,
  clientId: `${options.who}-${randomUUID().slice(0, 8)}`,
  copy: createCopy(options.who, options.company.companyId, options.history),
  drafts: new Map(),
  request: null,
  cursor: null,
  isFresh: true,
  sent: [],
  cursors: [],
});
