import { randomUUID } from 'node:crypto';
import type { NoteEdit, SyncChangeResult } from '@commonplace/contracts';
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
  /** What clients do: everything, or mostly PATCH, without deletions and replacements. */
  readonly mix: 'all' | 'edits';
  /** Notes that all clients write to, those of one generation after those of another. */
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

/** A PATCH that is retried unchanged until the server responds. */
export type Patch = {
  readonly id: string;
  readonly edits: readonly NoteEdit[];
  readonly mutationId: string;
  /** The revision in `If-Match`; null means none. */
  readonly ifMatch: number | null;
  readonly isMinimal: boolean;
  readonly tokens: readonly string[];
};

type Sent = { readonly body: object; readonly results: readonly SyncChangeResult[] };

/** A client's store, outbox and cursor, with past requests and cursors for replays. */
export type ClientState = ClientOptions & {
  readonly clientId: string;
  readonly replica: Replica;
  readonly drafts: Map<string, Draft>;
  request: Request | null;
  patch: Patch | null;
  /** A note to append to next. */
  appendTo: string | null;
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
  patch: null,
  appendTo: null,
  cursor: null,
  isFresh: true,
  sent: [],
  cursors: [],
});

/** Notes that all clients write to at the same time. */
export const hotNotes = 3;
/** Where nothing is deleted, hot notes are exchanged before they become too large. */
const tokensPerGeneration = 10_000;

/** How often the hot notes were exchanged. */
export const generationOf = ({ mix, expectations }: Pick<ClientState, 'mix' | 'expectations'>) =>
  mix === 'edits' ? Math.floor(expectations.tokenCount() / tokensPerGeneration) : 0;

/** The notes that all clients write to now. */
export const currentHotIds = (client: ClientState): readonly string[] => {
  const first = (generationOf(client) * hotNotes) % client.hotIds.length;
  return client.hotIds.slice(first, first + hotNotes);
};
