import { listNoteActivityContract, type NoteActivity } from '@commonplace/contracts/notes';
import { lookupInCompany } from '@commonplace/db';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { readHead } from '../../feed/ensure-feed.ts';
import { waitForHead } from '../../feed/wait-for-head.ts';
import { listChangedNotes } from '../../queries/changed-notes.ts';
import {
  readCursor,
  readSince,
  writeCursor,
  writePosition,
  type ChangesPosition,
} from '../changes-position.ts';
import { defineTool } from '../define-tool.ts';
import { fitted, moreLine, nameAuthors, oneLine } from '../format.ts';
import type { McpSession } from '../mcp-session.ts';
import { texts } from '../tool-result.ts';

const waitSecondsMax = 25;
/** Changed notes that are looked at since a position; beyond, only the time counts. */
const changedNotesMax = 1_000;

const input = z.strictObject({
  since: z.string().optional().describe('next of the last result, or an ISO time'),
  waitSeconds: z
    .int()
    .min(0)
    .max(waitSecondsMax)
    .default(0)
    .describe('Wait so long for a change after since'),
  author: z.string().optional().describe('Agent or operator id'),
  includeSelf: z.boolean().default(false),
  limit: z.int().min(1).max(100).default(30),
  cursor: z.string().optional(),
});
type Request = z.output<typeof input>;

export const recentChanges = defineTool({
  name: 'recent_changes',
  description:
    'Who changed which note when, newest first, with lines added and removed; without your own changes. Can wait for the next change.',
  contract: listNoteActivityContract,
  effect: 'reads',
  input,
  aliases: { wait: 'waitSeconds', wait_seconds: 'waitSeconds', include_self: 'includeSelf' },
  run: async (session, given) => {
    const since = given.since === undefined ? {} : readSince(given.since);
    const { position, cursor } = readCursor(given.cursor);
    const request = { ...given, cursor };
    const endsAtMs = performance.now() + request.waitSeconds * 1_000;
    for (;;) {
      const head = await readHead(session.deps.db, session.company.id);
      const page = await listChanges(session, request, { since, head });
      const leftMs = endsAtMs - performance.now();
      if (
        page.items.length > 0 ||
        page.nextCursor !== null ||
        leftMs <= 0 ||
        session.signal().aborted
      ) {
        return describe(session, page, { since, head, first: position });
      }
      await waitForHead(session.deps, {
        companyId: session.company.id,
        since: head,
        waitMs: leftMs,
        signal: session.signal(),
      });
      await session.stillAllowed();
    }
  },
});

type Since = { readonly since: Partial<ChangesPosition>; readonly head: number };
type Page = { readonly items: readonly NoteActivity[]; readonly nextCursor: string | null };

/** The changes after the position. What became visible later with an earlier time counts too. */
const listChanges = async (
  session: McpSession,
  { author, includeSelf, limit, cursor }: Request,
  { since, head }: Since,
): Promise<Page> => {
  if (since.head === head) {
    return { items: [], nextCursor: null };
  }
  const isBehind = since.head !== undefined && since.head < head;
  const changed = isBehind ? await changedSince(session, since.head) : null;
  const { atMs } = since;
  const from = changed ? (atMs ?? 0) - lateMs : atMs;
  const { items, nextCursor } = bodyOf<typeof listNoteActivityContract>(
    await session.call(listNoteActivityContract, {
      query: {
        ...(from === undefined ? {} : { since: new Date(Math.max(0, from)).toISOString() }),
        author,
        excludeSelf: includeSelf ? 'false' : 'true',
        limit: String(limit),
        cursor,
      },
    }),
  );
  const isNew = ({ noteId, revision, at }: NoteActivity): boolean =>
    changed === null ||
    (changed.has(noteId) && (Date.parse(at) > (atMs ?? 0) || changed.get(noteId) === revision));
  return { items: items.filter(isNew), nextCursor };
};

/** Clocks of processes, and writes in flight, differ by less. */
const lateMs = 5_000;

/** The newest revision of each note that changed after a head; null: too many. */
const changedSince = async (
  { deps, company }: McpSession,
  head: number,
): Promise<ReadonlyMap<string, number> | null> => {
  const rows = await lookupInCompany(deps.db, company.id, (tx) =>
    listChangedNotes(tx, { after: head, limit: changedNotesMax + 1 }),
  );
  return rows.length > changedNotesMax
    ? null
    : new Map(rows.map(({ id, revision }) => [id, revision]));
};

/** Later pages end where the first one did: what changed since then is not on any of them. */
type Listed = Since & { readonly first: ChangesPosition | null };

const describe = async (session: McpSession, page: Page, { since, head, first }: Listed) => {
  const nameOf = await nameAuthors(
    session,
    page.items.map(({ author }) => author),
  );
  const lineOf = (item: NoteActivity, bytesMax: number): string => {
    const counted =
      item.linesAdded === null ? '' : ` · +${item.linesAdded} -${item.linesRemoved ?? 0} lines`;
    const what = item.deleted ? 'deleted' : `rev ${item.revision}`;
    const run = item.author.runId === undefined ? '' : ` (run ${item.author.runId})`;
    return `${item.at} ${nameOf(item.author)}${run} · ${item.noteId} ${oneLine(item.title, bytesMax) || 'Untitled'} · ${what}${counted}`;
  };
  const newestMs = Math.max(since.atMs ?? 0, ...page.items.map(({ at }) => Date.parse(at)));
  const next = first ?? { head, atMs: newestMs };
  const more = page.nextCursor === null ? null : writeCursor(next, page.nextCursor);
  return texts(
    fitted((bytesMax) =>
      [
        ...(page.items.length === 0
          ? ['No changes.']
          : page.items.map((item) => lineOf(item, bytesMax))),
        ...moreLine(more),
        `next: ${writePosition(next)}`,
      ].join('\n'),
    ),
  );
};
