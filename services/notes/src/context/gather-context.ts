import type { Reach } from '@commonplace/contracts/core';
import type { Context, NotePassage } from '@commonplace/contracts/notes';
import { inIndexOrder, read, type CompanyTx, type InIndexOrder } from '@commonplace/db';
import type { Work } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { ensureFeed } from '../feed/ensure-feed.ts';
import { presentOwnProposals, readOwnProposals } from './own-proposals.ts';
import {
  listContextNotes,
  listNotesChangedByOthers,
  listPinnedNotes,
  type ContextNoteRow,
  type ContextScope,
} from '../queries/context-notes.ts';
import {
  presentContextAgent,
  presentContextNote,
  withAuthorName,
} from '../present/present-context.ts';
import { measureContext } from '../present/render-context.ts';
import type { FeedRow } from '../queries/feed.ts';
import { authorOf } from '../rules/author-of.ts';
import { fitContext, type ContextCandidate } from '../rules/fit-context.ts';
import { assertCurrent, positionAt, writeCursor, type SyncCursor } from '../rules/sync-cursor.ts';
import type { ReadyIndex } from '../search/index-wait.ts';
import type { QueryMeaning } from '../search/embeddings/query-meaning.ts';
import { notePassagesOf } from '../search/ranking/note-passages.ts';
import { rankByMeaning } from '../search/ranking/rank-by-meaning.ts';
import { withoutPhrases } from '../search/text/parse-query.ts';
import { rankNotes } from '../search/ranking/rank-notes.ts';

export type ContextRequest = {
  readonly reach: Reach;
  readonly caller: AgentCaller | OperatorCaller;
  readonly query?: string | undefined;
  /** Of the query; null: notes are ranked by words alone. */
  readonly meaning: QueryMeaning | null;
  /** That the query is looked up in; null without one. */
  readonly index: ReadyIndex | null;
  /** Null: changes are not listed. */
  readonly since: SyncCursor | null;
  readonly maxBytes: number;
  readonly folders: readonly string[];
  readonly tags: readonly string[];
  readonly work: Pick<Work<unknown>, 'heavy'>;
};

type ContextDeps = Pick<Deps, 'db' | 'clock' | 'search' | 'describeAuthors' | 'findMeaning'>;

/** Notes of each part whose text is read; of the pinned and the changed ones, more are listed by title. */
const partMax = { pinned: 20, match: 20, changed: 20, listed: 1_000 } as const;

/** A note may fill what others leave of a small context, and gets little more than a quarter of a large one. */
const fillCharacters = 32 * 1024;

/** Gathers the parts of a context, and fits them into its size. */
export const gatherContext = async (
  deps: ContextDeps,
  given: Omit<ContextRequest, 'meaning' | 'index'>,
): Promise<Context> => {
  const { reach, caller, since, maxBytes } = given;
  const { companyId } = reach;
  const feed = await ensureFeed(deps.db, companyId);
  if (since) {
    assertCurrent(since, feed);
  }
  const { query } = given;
  const [meaning, index] = await Promise.all([
    deps.findMeaning(companyId, query ?? ''),
    // Before the slot, so that nothing else of the company waits for the index.
    query === undefined ? null : deps.search.waitForIndex(companyId),
  ]);
  const request = { ...given, meaning, index };
  const charactersMax = Math.min(maxBytes, Math.max(Math.ceil(maxBytes / 4), fillCharacters));
  const heldBytes = charactersMax * (partMax.pinned + partMax.match + partMax.changed);
  const candidates = await request.work.heavy(
    () => readParts(deps, request, { charactersMax, feed }),
    heldBytes,
  );
  const own = await readOwnProposals(deps, { reach, caller });
  const described = await deps.describeAuthors({
    companyId,
    agentId: caller.kind === 'agent' ? caller.agentId : null,
    authors: [
      // Of those without text only the title is shown.
      ...candidates.filter(({ text, deleted }) => text !== '' || deleted).map(authorOfNote),
      ...own.ended.flatMap(({ decidedBy }) => decidedBy ?? []),
    ],
  });
  const agent = described.agent && presentContextAgent(described.agent);
  const cursor = writeCursor(positionAt(reach, feed.epoch, feed.head));
  const named = candidates.map((note) => withAuthorName(note, described.names));
  const proposals = presentOwnProposals(own, described.names);
  const isComplete = index && { isComplete: index.isComplete };
  const fixed = { agent, cursor, ...proposals, ...isComplete };
  const { notes, omitted } = fitContext(named, maxBytes, measureContext(fixed));
  const moreOmitted = candidates.length - notes.length - omitted.length;
  return { ...fixed, notes, omitted, moreOmitted };
};

const authorOfNote = ({ author }: ContextCandidate) => author;

type Reading = { readonly charactersMax: number; readonly feed: FeedRow };

/** The notes of all parts in order of value, each once. */
const readParts = async (
  deps: ContextDeps,
  request: ContextRequest,
  { charactersMax, feed }: Reading,
): Promise<ContextCandidate[]> => {
  const { reach, caller, since, folders, tags: tag } = request;
  const scope = { granted: reach.folders, folders, tag, charactersMax };
  const readPart = <Row>(part: (tx: CompanyTx) => Promise<Row[]>) =>
    read(deps.db, targetOf(reach, scope), part);
  const [pinned, matches, changed] = await Promise.all([
    readPart((tx) =>
      listPinnedNotes(tx, { ...scope, textsMax: partMax.pinned, limit: partMax.listed }),
    ),
    request.query === undefined ? [] : findMatches(deps, request, scope),
    since === null
      ? []
      : readPart((tx) =>
          listNotesChangedByOthers(tx, {
            ...scope,
            changeNo: since.changeNo,
            upTo: feed.head,
            exceptAuthorId: authorOf(caller).id,
            textsMax: partMax.changed,
            limit: partMax.listed,
          }),
        ),
  ]);
  const parts = [
    ...pinned.map((row) => presentContextNote(row, 'pinned')),
    ...matches.map((row) => ({ ...presentContextNote(row, 'match'), passages: row.passages })),
    ...changed.map((row) => presentContextNote(row, 'changed')),
  ];
  const first = new Map(parts.toReversed().map((note) => [note.id, note]));
  return parts.filter((note) => first.get(note.id) === note);
};

type ContextMatch = ContextNoteRow & { readonly passages: NotePassage[] };

/** The best matches of the query, best first. Its phrases are looked for as their words. */
const findMatches = async (
  { db }: ContextDeps,
  { reach, query = '', meaning, index }: ContextRequest,
  { granted, folders = [], tag, charactersMax }: Omit<ContextScope, 'limit'>,
): Promise<ContextMatch[]> => {
  const filters = {
    granted: granted ?? null,
    folders,
    tag,
    taggedIds: null,
    deleted: 'exclude',
  } as const;
  return read(db, inIndexOrder(reach), async (tx) => {
    const q = withoutPhrases(query);
    const byWords = await rankNotes(tx, { q, filters, isRebuilding: index?.isRebuilding ?? false });
    const ranking =
      byWords && meaning ? await rankByMeaning(tx, byWords, { meaning, filters }) : byWords;
    const notes = ranking?.notes.slice(0, partMax.match) ?? [];
    const rows = await listContextNotes(tx, { ids: notes.map(({ id }) => id), charactersMax });
    return rows.map((row) => {
      const text = ranking?.texts.get(row.id);
      const passages =
        ranking && text ? notePassagesOf(text.content, text.analysed, ranking.weights) : [];
      return { ...row, passages };
    });
  });
};

/** Filters may lead to few notes, which are sorted; everything else has the order of an index. */
const targetOf = (
  reach: Reach,
  { folders = [], tag }: Pick<ContextScope, 'folders' | 'tag'>,
): Reach | InIndexOrder => (folders.length + tag.length > 0 ? reach : inIndexOrder(reach));
