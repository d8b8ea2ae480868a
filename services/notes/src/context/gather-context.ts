import type { CompanyId } from '@commonplace/contracts/core';
import type { Context } from '@commonplace/contracts/notes';
import { readInCompany, withCompany, type CompanyTx } from '@commonplace/db';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { ensureFeed } from '../feed/ensure-feed.ts';
import {
  listContextNotes,
  listNotesChangedByOthers,
  listPinnedNotes,
  type ContextNoteRow,
} from '../queries/context-notes.ts';
import {
  presentContextAgent,
  presentContextNote,
  withAuthorName,
} from '../present/present-context.ts';
import { authorOf } from '../rules/author-of.ts';
import { fitContext, type ContextCandidate } from '../rules/fit-context.ts';
import { assertCurrent, writeCursor, type SyncCursor } from '../rules/sync-cursor.ts';
import { listNotePage } from '../search/list-notes.ts';

export type ContextRequest = {
  readonly companyId: CompanyId;
  readonly caller: AgentCaller | OperatorCaller;
  readonly query?: string | undefined;
  /** Null: changes are not listed. */
  readonly since: SyncCursor | null;
  readonly maxBytes: number;
  readonly folders: readonly string[];
  readonly tags: readonly string[];
  /** Throws when the caller may no longer read. Called after a wait. */
  readonly stillAllowed: () => Promise<unknown>;
};

type ContextDeps = Pick<
  Deps,
  'db' | 'search' | 'limitHeavyWork' | 'reserveBytes' | 'describeAuthors'
>;

/** Notes of each part whose text is read; of the changed ones, more are listed by title. */
const partMax = { pinned: 20, match: 20, changed: 20, listed: 1_000 } as const;

/** Gathers the parts of a context, and fits them into its size. */
export const gatherContext = async (
  deps: ContextDeps,
  request: ContextRequest,
): Promise<Context> => {
  const { companyId, caller, since, maxBytes } = request;
  const feed = await ensureFeed(deps.db, companyId);
  if (since) {
    assertCurrent(since, feed);
  }
  const charactersMax = Math.ceil(maxBytes / 4);
  const heldBytes = charactersMax * (partMax.pinned + partMax.match + partMax.changed);
  const candidates = await deps.limitHeavyWork(companyId, () =>
    deps.reserveBytes(heldBytes, async () => {
      await request.stillAllowed();
      return readParts(deps, request, { charactersMax, head: feed.head });
    }),
  );
  const { notes, omitted } = fitContext(candidates, maxBytes);
  const { agent, names } = await deps.describeAuthors({
    companyId,
    agentId: caller.kind === 'agent' ? caller.agentId : null,
    authors: notes.map(({ author }) => author),
  });
  return {
    agent: agent && presentContextAgent(agent),
    notes: notes.map((note) => withAuthorName(note, names)),
    omitted,
    moreOmitted: candidates.length - notes.length - omitted.length,
    cursor: writeCursor({ v: 1, company: companyId, epoch: feed.epoch, changeNo: feed.head }),
  };
};

type Reading = { readonly charactersMax: number; readonly head: number };

/** The notes of all parts in order of value, each once. */
const readParts = async (
  deps: ContextDeps,
  request: ContextRequest,
  { charactersMax, head }: Reading,
): Promise<ContextCandidate[]> => {
  const { companyId, caller, since, folders, tags: tag } = request;
  const scope = { folders, tag, charactersMax };
  const read = <Row>(part: (tx: CompanyTx) => Promise<Row[]>) =>
    readInCompany(deps.db, companyId, part);
  const [pinned, matches, changed] = await Promise.all([
    read((tx) => listPinnedNotes(tx, { ...scope, limit: partMax.pinned })),
    request.query === undefined ? [] : findMatches(deps, request, charactersMax),
    since === null
      ? []
      : read((tx) =>
          listNotesChangedByOthers(tx, {
            ...scope,
            changeNo: since.changeNo,
            upTo: head,
            exceptAuthorId: authorOf(caller).id,
            textsMax: partMax.changed,
            limit: partMax.listed,
          }),
        ),
  ]);
  const parts = [
    ...pinned.map((row) => presentContextNote(row, 'pinned')),
    ...matches.map((row) => presentContextNote(row, 'match')),
    ...changed.map((row) => presentContextNote(row, 'changed')),
  ];
  const first = new Map(parts.toReversed().map((note) => [note.id, note]));
  return parts.filter((note) => first.get(note.id) === note);
};

/** The best matches of the query, best first: notes with all its words, then notes with some of them. */
const findMatches = async (
  { db, search }: ContextDeps,
  { companyId, query = '', folders, tags: tag }: ContextRequest,
  charactersMax: number,
): Promise<ContextNoteRow[]> => {
  const isRebuilding = await search.indexPendingNotes(companyId);
  const find = (q: string) =>
    withCompany(db, companyId, async (tx) => {
      const { rows } = await listNotePage(tx, { ...matchPage, q, isRebuilding, folders, tag });
      return rows.map(({ id }) => id);
    });
  const withAll = await find(query);
  const some = someWordsOf(query);
  const withSome = withAll.length < partMax.match && some !== null ? await find(some) : [];
  const ids = [...new Set([...withAll, ...withSome])].slice(0, partMax.match);
  const notes = await readInCompany(db, companyId, (tx) =>
    listContextNotes(tx, ids, charactersMax),
  );
  return notes.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
};

const matchPage = {
  view: 'summary',
  deleted: 'exclude',
  sort: 'updatedAt',
  order: 'desc',
  after: null,
  limit: partMax.match,
} as const;

/** A search for any of the first words of a query; null: it has only one. */
const someWordsOf = (query: string): string | null => {
  const words = query.split(/[\s"]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.length < 2 ? null : words.slice(0, 20).join(' or ');
};
