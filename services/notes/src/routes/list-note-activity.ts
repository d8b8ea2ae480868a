import { setImmediate } from 'node:timers/promises';
import { timestamp, type Reach } from '@commonplace/contracts/core';
import {
  listNoteActivityContract,
  type Author,
  type NoteActivity,
} from '@commonplace/contracts/notes';
import { inIndexOrder, read } from '@commonplace/db';
import { defineRoute, pageCursor, reply, type Work } from '@commonplace/http';
import { z } from 'zod';
import { nameAuthors, type NameAuthor } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { largePageBytes } from '../limits/work-limits.ts';
import { presentActivity, type UnnamedActivity } from '../present/present-activity.ts';
import { presentEndedProposal } from '../present/present-proposal.ts';
import type { ProposalCaller } from '../proposals/proposal-viewer.ts';
import { listActivity, type ActivityRow } from '../queries/activity.ts';
import { listDecidedProposals, type ListedProposalRow } from '../queries/list-proposals.ts';
import { listVersions } from '../queries/versions.ts';
import { authorOf } from '../rules/author-of.ts';
import { changedLines } from '../diff/changed-lines.ts';

const activityCursor = pageCursor(
  'activity',
  z.tuple([timestamp, z.guid(), z.int().min(0).max(2_147_483_647)]),
);

/** Versions that a page with a filter by author looks at. */
const filteredScanMax = 2_000;

/** Lists the versions of all notes by time, newest first, with the lines they changed. */
export const listNoteActivityRoute = (deps: Pick<Deps, 'db' | 'describeAuthors' | 'log'>) =>
  defineRoute(listNoteActivityContract, async ({ query, caller, company, work }) => {
    const { db } = deps;
    const after = activityCursor.read(query);
    const isFiltered = query.author !== undefined || query.excludeSelf === true;
    const scannedMax = isFiltered ? filteredScanMax : query.limit + 1;
    const rows = await read(db, inIndexOrder(company.reach), (tx) =>
      listActivity(tx, {
        since: query.since ? new Date(query.since) : null,
        sinceChange: query.sinceChange ?? null,
        until: query.until ? new Date(query.until) : null,
        author: query.author ?? null,
        exceptAuthor: query.excludeSelf === true ? authorOf(caller).id : null,
        runId: query.runId ?? null,
        keyId: query.keyId ?? null,
        connectionId: query.connectionId ?? null,
        after: after && [new Date(after[0]), after[1], after[2]],
        limit: query.limit + 1,
        scannedMax,
      }),
    );
    const { items, nextCursor } = activityCursor.page(
      isCutOff(rows, query.limit, scannedMax) ? { ...query, limit: rows.length } : query,
      isCutOff(rows, query.limit, scannedMax) ? [...rows, ...rows.slice(-1)] : rows,
      (row) => [row.createdAt.toISOString(), row.noteId, row.revision],
    );
    const wanted = items.filter(({ isWanted }) => isWanted);
    const lines = await countLines({ db, work }, company.reach, wanted);
    const changes = wanted.map((row) =>
      presentActivity(row, lines.get(nameOf(row.noteId, row.revision))),
    );
    const ended =
      after === null ? await listEnded(deps, { caller, company, since: query.since }) : [];
    const named = await nameAuthors(deps, company.id, authorsIn(changes, ended));
    return reply(200, {
      items: changes.map((change) => withNames(change, named)),
      nextCursor,
      ...(ended.length > 0
        ? { proposals: ended.map((row) => presentEndedProposal(row, named)) }
        : {}),
    });
  });

const authorsIn = (
  changes: readonly UnnamedActivity[],
  ended: readonly ListedProposalRow[],
): Author[] => [
  ...changes.flatMap(({ author, acceptance }) => [
    author,
    ...(acceptance ? [acceptance.acceptedBy] : []),
  ]),
  ...ended.flatMap(({ decidedBy }) => decidedBy ?? []),
];

const withNames = (
  { acceptance, ...change }: UnnamedActivity,
  named: NameAuthor,
): NoteActivity => ({
  ...change,
  author: named(change.author),
  ...(acceptance
    ? {
        proposal: {
          proposalId: acceptance.proposalId,
          acceptedBy: named(acceptance.acceptedBy),
        },
      }
    : {}),
});

const endedMax = 20;

/** What became of the proposals of an agent. */
const listEnded = async (
  { db }: Pick<Deps, 'db'>,
  { caller, company, since }: ProposalCaller & { readonly since: string | undefined },
): Promise<ListedProposalRow[]> =>
  caller.kind === 'agent'
    ? read(db, company.reach, (tx) =>
        listDecidedProposals(tx, caller.agentId, { since: new Date(since ?? 0), limit: endedMax }),
      )
    : [];

/** Whether the scan ended before the page was full: the next page starts after the last scanned version. */
const isCutOff = (rows: readonly ActivityRow[], limit: number, scannedMax: number): boolean =>
  rows.length <= limit && rows.at(-1)?.place === scannedMax;

const nameOf = (noteId: string, revision: number): string => `${noteId} ${revision}`;

/** Limits of the contents that are compared: of a version with the one before, and of a page. */
const comparedBytesMax = { pair: 128 * 1024, page: 1024 * 1024 } as const;

type Lines = Pick<NoteActivity, 'linesAdded' | 'linesRemoved'>;

/** Compares versions with those before them, as many as the limits allow, newest first. */
const countLines = async (
  { db, work }: Pick<Deps, 'db'> & { readonly work: Pick<Work<unknown>, 'read'> },
  reach: Reach,
  rows: readonly ActivityRow[],
): Promise<ReadonlyMap<string, Lines>> => {
  const { counted, bytes } = chooseCounted(rows);
  const names = counted.flatMap(({ noteId: id, revision }) =>
    revision === 1
      ? [{ id, revision }]
      : [
          { id, revision },
          { id, revision: revision - 1 },
        ],
  );
  const readAll = () => read(db, inIndexOrder(reach), (tx) => listVersions(tx, names, bytes));
  const versions = await work.read(bytes, readAll, largePageBytes);
  const contents = new Map(
    versions.map(({ noteId, revision, content }) => [nameOf(noteId, revision), content]),
  );
  const lines = new Map<string, Lines>();
  for (const { noteId, revision } of counted) {
    const before = revision === 1 ? '' : contents.get(nameOf(noteId, revision - 1));
    const after = contents.get(nameOf(noteId, revision));
    const changed = typeof before === 'string' && typeof after === 'string';
    const counts = changed ? changedLines(before, after) : undefined;
    if (counts) {
      lines.set(nameOf(noteId, revision), counts);
    }
    await setImmediate();
  }
  return lines;
};

const chooseCounted = (rows: readonly ActivityRow[]) => {
  const counted: ActivityRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const before = row.revision === 1 ? 0 : row.sizeBefore;
    const pair = before === null ? Infinity : row.size + before;
    if (pair <= comparedBytesMax.pair && bytes + pair <= comparedBytesMax.page) {
      counted.push(row);
      bytes += pair;
    }
  }
  return { counted, bytes };
};
