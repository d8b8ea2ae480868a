import { pause } from '@commonplace/concurrency';
import { AppError } from '@commonplace/contracts/core';
import { listNoteActivityContract, type NoteActivity } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { readHead } from '../../feed/ensure-feed.ts';
import { waitForHead } from '../../feed/wait-for-head.ts';
import { authorOf } from '../../rules/author-of.ts';
import { cursorText, longCursorText } from '../argument-schemas.ts';
import {
  lateMs,
  readCursor,
  readSince,
  writeCursor,
  writePosition,
  type ChangesPosition,
  type ListedRange,
} from '../changes-position.ts';
import { defineTool } from '../define-tool.ts';
import { endedLines, noEndedProposals, readEndedProposals } from '../ended-proposals.ts';
import { fitted, moreLine, authorLabels, oneLine, pathOf, type AuthorLabel } from '../format.ts';
import type { McpSession } from '../mcp-session.ts';
import { readDiffs } from '../read-diffs.ts';
import { texts } from '../tool-result.ts';

const waitSecondsMax = 25;

/** Between two lists of a call that waits. */
const listPauseMs = 1_000;

const input = z.strictObject({
  since: cursorText.optional().describe('next of the last result, or an ISO time'),
  waitSeconds: z
    .int()
    .min(0)
    .max(waitSecondsMax)
    .default(0)
    .describe('Wait so long for a change after since'),
  author: z.guid('must be a UUID').optional().describe('Agent or operator id'),
  includeSelf: z.boolean().default(false),
  diff: z.boolean().default(false).describe('With the changed lines'),
  limit: z.int().min(1).max(100).default(30),
  cursor: longCursorText.optional(),
});
type Request = z.output<typeof input>;

export const recentChanges = defineTool({
  name: 'recent_changes',
  description:
    'Who changed which note when, newest first, with lines added and removed; (undo): taken back. Without your own changes. Can wait for the next change.',
  contract: listNoteActivityContract,
  effect: 'reads',
  input,
  aliases: { wait: 'waitSeconds', wait_seconds: 'waitSeconds', include_self: 'includeSelf' },
  run: async (session, given) => {
    const { range, cursor } = readCursor(given.cursor);
    const since = sinceOf(given, range);
    const request = { ...given, cursor };
    const endsAtMs = performance.now() + request.waitSeconds * 1_000;
    for (;;) {
      // The time is read first: what is written later has a higher change number.
      const atMs = session.deps.clock().getTime();
      const head = await readHead(session.deps.db, session.company.id);
      const page = await listChanges(session, request, {
        since: since === null ? {} : readSince(since),
        head,
      });
      const listedAtMs = performance.now();
      const leftMs = endsAtMs - listedAtMs;
      if (
        page.items.length > 0 ||
        page.nextCursor !== null ||
        leftMs <= 0 ||
        session.signal().aborted
      ) {
        const end = range?.end ?? { head, atMs };
        const isFirst = given.cursor === undefined;
        const listed = { ...page, isFirst };
        return describe(session, listed, { range: { since, end }, withDiffs: request.diff });
      }
      await waitForHead(session.deps, {
        companyId: session.company.id,
        since: head,
        waitMs: leftMs,
        signal: session.signal(),
      });
      // Own and hidden changes move the head, too, and may do so without an end.
      await pause(listedAtMs + listPauseMs - performance.now(), session.signal());
      await session.recheck();
    }
  },
});

/** Later pages begin where the first one did. */
const sinceOf = (request: Request, range: ListedRange | null): string | null => {
  const since = request.since ?? null;
  if (range && since !== null && since !== range.since) {
    throw new AppError('validation_failed', 'cursor continues a list with another since.');
  }
  return range ? range.since : since;
};

type Since = { readonly since: Partial<ChangesPosition>; readonly head: number };
type Page = { readonly items: readonly NoteActivity[]; readonly nextCursor: string | null };

/** The changes after the position. A head beyond the present one is from before a restore: only the time counts. */
const listChanges = async (
  session: McpSession,
  { author, includeSelf, limit, cursor }: Request,
  { since: { head: sinceHead, atMs }, head }: Since,
): Promise<Page> => {
  if (sinceHead === head) {
    return { items: [], nextCursor: null };
  }
  const sinceChange = sinceHead !== undefined && sinceHead < head ? sinceHead : undefined;
  const from = sinceChange === undefined ? atMs : (atMs ?? 0) - lateMs;
  return bodyOf<typeof listNoteActivityContract>(
    await session.call(listNoteActivityContract, {
      query: {
        ...(from === undefined ? {} : { since: new Date(Math.max(0, from)).toISOString() }),
        ...(sinceChange === undefined ? {} : { sinceChange: String(sinceChange) }),
        author,
        excludeSelf: includeSelf || isSelf(session, author) ? 'false' : 'true',
        limit: String(limit),
        cursor,
      },
    }),
  );
};

/** Who wants the changes of one author wants those, also if it is the caller. */
const isSelf = ({ caller }: McpSession, author: string | undefined): boolean =>
  author?.toLowerCase() === authorOf(caller).id;

type Listed = { readonly range: ListedRange; readonly withDiffs: boolean };

type ListedPage = Page & { readonly isFirst: boolean };

const describe = async (session: McpSession, page: ListedPage, { range, withDiffs }: Listed) => {
  const ended = page.isFirst ? await readEndedProposals(session, range) : noEndedProposals;
  const labelOf = await authorLabels(session, [
    ...page.items.flatMap(({ author, proposal }) => [
      author,
      ...(proposal ? [proposal.acceptedBy] : []),
    ]),
    ...ended.rows.flatMap(({ decidedBy }) => decidedBy ?? []),
  ]);
  const diffs = withDiffs ? await readDiffs(session, page.items) : null;
  const lineOf = (item: NoteActivity, bytesMax: number): string => {
    const run = item.author.runId === undefined ? '' : ` (run ${item.author.runId})`;
    const facts = [...acceptedBy(item, labelOf), ...movesOf(item, bytesMax), ...countsOf(item)].map(
      (fact) => ` · ${fact}`,
    );
    return `${item.at} ${labelOf(item.author)}${run} · ${item.noteId} ${pathOf(item, bytesMax)} · ${item.deleted ? 'deleted' : `rev ${item.revision}`}${facts.join('')}`;
  };
  const more = page.nextCursor === null ? null : writeCursor(range, page.nextCursor);
  return texts(
    fitted((bytesMax) =>
      [
        ...(page.items.length === 0
          ? [more === null ? 'No changes.' : 'No changes on this page; older ones may follow.']
          : page.items.flatMap((item) => [
              lineOf(item, bytesMax),
              ...(diffs?.(item, bytesMax) ?? []),
            ])),
        ...endedLines(ended, labelOf, bytesMax),
        ...moreLine(more),
        `next: ${writePosition(range.end)}`,
      ].join('\n'),
    ),
  );
};

const acceptedBy = ({ proposal }: NoteActivity, labelOf: AuthorLabel): string[] =>
  proposal ? [`proposal accepted by ${labelOf(proposal.acceptedBy)}`] : [];

/** What a version changed of the place of its note. */
const movesOf = ({ previousTitle, previousFolder }: NoteActivity, bytesMax: number): string[] => [
  ...(previousTitle === null
    ? []
    : [`renamed from ${oneLine(previousTitle, bytesMax) || 'Untitled'}`]),
  ...(previousFolder === null
    ? []
    : [`moved from ${oneLine(previousFolder, bytesMax) || '(root)'}`]),
];

const countsOf = ({ linesAdded, linesRemoved }: NoteActivity): string[] =>
  linesAdded === null ? [] : [`+${linesAdded} -${linesRemoved ?? 0} lines`];
