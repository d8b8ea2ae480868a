import { ProblemError, type Schema } from '@commonplace/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, apiOf } from './api.ts';
import { byCursor, cursorOf, readAll, type Page } from './pages.ts';
import { keys } from './query-keys.ts';

/** What is undone: one of the ids. */
export type UndoSource = Pick<
  Schema<'UndoRequest'>,
  'runId' | 'keyId' | 'connectionId' | 'agentId' | 'undoId' | 'since'
>;

/** How many of the newest undos are known to the pages of what they undid. */
const undosKnown = 200;

/** An undo in the audit log, which viewers read too. */
export type RecordedUndo = {
  readonly undoId: string;
  /** The run, key, connection or agent; of an undo that was undone, the company. */
  readonly entityId: string;
  /** The undo that this one takes back; null: it undid what was written. */
  readonly undone: string | null;
  readonly by: string;
  readonly at: string;
};

const readRecorded = async (
  companyId: string,
  options: {
    readonly entityId?: string;
    readonly cursor?: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Page<RecordedUndo>> => {
  const { entityId, cursor, signal } = options;
  const { data } = await api.get('/api/companies/{companyId}/activity', {
    params: {
      path: { companyId },
      query: {
        action: 'notes.undone',
        limit: undosKnown,
        ...(entityId === undefined ? {} : { entityId }),
        ...cursorOf(cursor),
      },
    },
    signal,
  });
  return {
    items: data.items.map(({ entity, detail, actor, at }) => ({
      undoId: String(detail['undoId']),
      entityId: entity.id,
      undone: typeof detail['undone'] === 'string' ? detail['undone'] : null,
      by: actor.name,
      at,
    })),
    nextCursor: data.nextCursor,
  };
};

/** The newest undos of a company, newest first. */
export const recordedUndosQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.activity(companyId), 'undos'],
    queryFn: async ({ signal }) => (await readRecorded(companyId, { signal })).items,
  });

/** Whether the newest undos have all since a time, and so also what took back an undo of that time. */
export const areKnownSince = (newest: readonly RecordedUndo[], at: string): boolean =>
  newest.length < undosKnown || Date.parse(newest.at(-1)?.at ?? at) <= Date.parse(at);

/** All undos that took back another one, newest first; few undos are. The log has them under the company. */
export const takenBackQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.activity(companyId), 'taken back'],
    queryFn: ({ signal }) =>
      readAll((cursor) => readRecorded(companyId, { entityId: companyId, cursor, signal })),
  });

const pollMs = 500;
const pageNotes = 50;

type ReadOptions = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Null: notes with any. */
  readonly outcome?: Schema<'UndoOutcome'> | null;
  readonly signal?: AbortSignal;
};

const readUndo = async (
  companyId: string,
  undoId: string,
  options: ReadOptions,
): Promise<Schema<'Undo'>> => {
  const { limit, cursor, outcome = null, signal } = options;
  const { data } = await apiOf(companyId).get('/api/notes/undo/{undoId}', {
    params: {
      path: { undoId },
      query: { limit, ...cursorOf(cursor), ...(outcome && { outcome }) },
    },
    ...(signal ? { signal } : {}),
  });
  return data;
};

/** An undo and its progress, read again until it is finished. */
export const undoQuery = (companyId: string, undoId: string) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'undo', undoId],
    queryFn: ({ signal }) => readUndo(companyId, undoId, { limit: 1, signal }),
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : pollMs),
  });

const toPage = ({ notes, nextCursor }: Schema<'Undo'>): Page<Schema<'UndoneNote'>> => ({
  items: notes,
  nextCursor,
});

/** The notes of an undo that is finished, of one outcome; null: of all. */
export const undoneNotesQuery = (
  companyId: string,
  undoId: string,
  outcome: Schema<'UndoOutcome'> | null,
) =>
  infiniteQueryOptions({
    queryKey: [...keys.notes(companyId), 'undo', undoId, 'notes', outcome],
    queryFn: async ({ pageParam: cursor, signal }) =>
      toPage(await readUndo(companyId, undoId, { limit: pageNotes, cursor, outcome, signal })),
    ...byCursor,
  });

const longPage = 200;

/** The most notes that an undo of a part can list, as the API. */
export const undoNotesMax = 10_000;

/** The ids of all notes of an undo, or of those with one outcome; null: with any. */
export const readUndoneIds = async (
  companyId: string,
  undoId: string,
  outcome: Schema<'UndoOutcome'> | null,
): Promise<readonly string[]> => {
  // However many: of a part of them a part would be undone.
  const notes = await readAll(
    async (cursor) =>
      toPage(await readUndo(companyId, undoId, { limit: longPage, cursor, outcome })),
    Infinity,
  );
  return notes.map(({ noteId }) => noteId);
};

/** Pauses an agent. One that is terminated writes nothing any more. */
export const pauseAgent = async (companyId: string, agentId: string): Promise<void> => {
  try {
    await apiOf(companyId).post('/api/agents/{agentId}/pause', { params: { path: { agentId } } });
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'agent_terminated')) {
      throw error;
    }
  }
};

/** Stores an undo, or a dry run; returns its id. */
export const requestUndo = async (
  companyId: string,
  body: Schema<'UndoRequest'>,
): Promise<string> => (await apiOf(companyId).post('/api/notes/undo', { body })).data.id;
