import { randomUUID } from 'node:crypto';
import type { SyncChangeResult } from '@commonplace/contracts';
import { createReplica, type Replica } from './replica.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import type { Expectations } from './expectations.ts';
import type { CheckedCompany } from './environment.ts';

/** Identity and collaborators of a client. */
export type ClientOptions = {
  readonly actor: string;
  readonly company: CheckedCompany;
  readonly expectations: Expectations;
  readonly history: History;
  readonly random: Random;
  /** Notes that all clients write to. */
  readonly hotIds: readonly string[];
  /** First texts of notes that are expensive for the server, by note id. */
  readonly initialTexts: ReadonlyMap<string, string>;
};

/** An unsent edit. `content` null: delete. */
type Draft = {
  readonly content: string | null;
  readonly base: number | null;
  readonly tokens: readonly string[];
};

/** A change in the wire format. */
type Change = {
  readonly mutationId: string;
  readonly id: string;
  readonly op: 'put' | 'delete';
  readonly baseRevision: number | null;
  readonly note?: { readonly title: string; readonly content: string };
};

/** Changes that are retried unchanged until the server responds. */
export type Request = {
  readonly changes: readonly Change[];
  /** The new tokens of each note. */
  readonly tokens: ReadonlyMap<string, readonly string[]>;
};

type Sent = { readonly body: object; readonly results: readonly SyncChangeResult[] };

/** A client's store, outbox and cursor, with past requests and cursors for replays. */
export type ClientState = ClientOptions & {
  readonly clientId: string;
  readonly replica: Replica;
  readonly drafts: Map<string, Draft>;
  request: Request | null;
  cursor: string | null;
  /** A full pull omits old deletions, so the client pushes nothing until it is complete. */
  isFresh: boolean;
  readonly sent: Sent[];
  readonly cursors: string[];
};

/** The state of a new client. */
export const newClientState = (options: ClientOptions): ClientState => ({
  ...options,
  clientId: `${options.actor}-${randomUUID().slice(0, 8)}`,
  replica: createReplica(options.actor, options.company.companyId, options.history),
  drafts: new Map(),
  request: null,
  cursor: null,
  isFresh: true,
  sent: [],
  cursors: [],
});
