import { createHash, randomUUID } from 'node:crypto';
import { errorCodes, type ErrorCode } from '@commonplace/contracts';
import { assertDocumented } from '@commonplace/testkit';
import type { NoteText, Schema } from '@commonplace/client';
import { mergeLines } from './merge-lines.ts';
import { SimulatedProposals } from './simulated-proposals.ts';

type Change = Schema<'SyncChange'>;
type Result = Schema<'SyncChangeResult'>;
type Body = {
  readonly limit?: number;
  readonly cursor?: string | null;
  readonly clientId?: string;
  readonly mode?: string;
  readonly changes?: readonly Change[];
};

/** A version of a note; a null text is a tombstone. */
type Version = {
  readonly revision: number;
  readonly text: NoteText | null;
  readonly no: number;
  readonly at: string;
};
type NoteName = { readonly id: string; readonly conflictOf?: string | null };
type Stored = {
  readonly id: string;
  readonly conflictOf: string | null;
  readonly versions: Version[];
};

const author = { kind: 'agent', id: randomUUID() } as const;
const companyId = randomUUID();
const at = '2026-01-01T00:00:00.000Z';

/**
 * One company's side of `POST /api/sync`, in memory: the table of outcomes of docs/contract.md over
 * notes that are sets of lines. Every response must be one that the OpenAPI document allows.
 */
export class SimulatedServer {
  /** A server whose digest is not that of its notes, after a fault of its own. */
  isDigestWrong = false;
  /** Whether it hides notes from the credential, and so does not say how many there are. */
  hidesNotes = false;
  /** How many changes a page holds. */
  pageSize = 2;
  /** How many changes of the next background job are applied before it fails; all, unless set. */
  jobBreaksAfter: number | null = null;
  /** Changes that are rejected for good. */
  rejects: (change: Change) => boolean = () => false;
  /** With which code. */
  rejectsWith: ErrorCode = 'validation_failed';
  /** Edits that become proposals. */
  proposes: (change: Change) => boolean = () => false;
  readonly proposals = new SimulatedProposals();
  /** Why the credential may only read; null: it may write. */
  isReadOnlyBy: ErrorCode | null = null;
  /** The server's clock. */
  now: () => Date = () => new Date(at);
  /** Whether responses omit the results of the changes. */
  omitsResults = false;
  /** Whether responses are compared with the OpenAPI document, which takes most of their time. */
  isChecked = true;
  /** How many notes the last request wanted at most. */
  lastLimit = 500;
  /** How many pushes and pulls there were. */
  postCount = 0;
  readonly #notes = new Map<string, Stored>();
  readonly #mutations = new Map<string, Result>();
  readonly #jobs = new Map<string, Schema<'SyncJob'>>();
  #epoch = randomUUID();
  #oldestCursor = 0;
  #restoredCount = 0;
  #head = 0;

  /** Speaks HTTP, for `createClient({ fetch })`. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const { status, body } =
      request.method === 'POST'
        ? this.#sync((await request.json()) as Body)
        : { status: 200, body: this.#read(pathname, searchParams) };
    const contentType = status < 400 ? 'application/json' : 'application/problem+json';
    if (this.isChecked) {
      assertDocumented({ method: request.method, path: pathname, contentType, status, body });
    }
    return Response.json(body, { status, headers: { 'content-type': contentType } });
  };

  /** The active notes by their ids. */
  activeNotes(): Map<string, NoteText> {
    return new Map([...this.#active()].map(({ id, last }) => [id, last.text]));
  }

  /** How many notes keep the losing side of a conflict. */
  conflictCount(): number {
    return [...this.#notes.values()].filter(({ conflictOf }) => conflictOf !== null).length;
  }

  /** Conflict copies of what the note itself had stored already: effects of one change, twice. */
  repeatedEffects(): string[] {
    return [...this.#notes.values()].flatMap(({ id, conflictOf, versions }) => {
      const origin = conflictOf === null ? [] : (this.#notes.get(conflictOf)?.versions ?? []);
      const copied = JSON.stringify(versions[0]?.text);
      return origin.some(({ text }) => JSON.stringify(text) === copied) ? [id] : [];
    });
  }

  /** Deletes a note, as somebody else. */
  remove(id: string): void {
    const last = this.#notes.get(id)?.versions.at(-1);
    if (last?.text) {
      this.#write({ id }, last.revision + 1, null);
    }
  }

  /** What purging deletions does to those who hold a cursor. */
  expireCursors(): void {
    this.#oldestCursor += 1;
  }

  /** Returns a function that restores what the server has now, as `pnpm restore` does. */
  backup(): () => void {
    const notes = structuredClone([...this.#notes]);
    const head = this.#head;
    return () => {
      this.#restoredCount += 1;
      const shift = 1_000 * this.#restoredCount;
      const raise = (version: Version): Version => ({
        ...version,
        revision: version.revision + shift,
      });
      this.#notes.clear();
      notes.forEach(([id, note]) =>
        this.#notes.set(id, { ...note, versions: note.versions.map(raise) }),
      );
      this.#mutations.clear();
      this.#head = head;
      this.#epoch = randomUUID();
    };
  }

  #sync({ cursor = null, clientId = '', mode, changes = [], limit = 500 }: Body) {
    this.postCount += 1;
    this.lastLimit = limit;
    const start = { epoch: this.#epoch, oldest: this.#oldestCursor, no: 0 };
    const from = cursor === null ? start : parseCursor(cursor);
    if (from.epoch !== this.#epoch || from.oldest !== this.#oldestCursor) {
      return problem('cursor_expired');
    }
    if (this.isReadOnlyBy && changes.length > 0) {
      return problem(this.isReadOnlyBy);
    }
    if (mode === 'background') {
      return { status: 202, body: this.#runJob(clientId, changes) };
    }
    const results = this.#apply(clientId, changes).slice(0, this.omitsResults ? 0 : undefined);
    return { status: 200, body: this.#response({ ...from, isFirst: from.no === 0 }, results) };
  }

  #read(path: string, query: URLSearchParams) {
    return path === '/api/notes/proposals'
      ? this.proposals.list(query)
      : this.#jobs.get(path.split('/').at(-1) ?? '');
  }

  #runJob(clientId: string, changes: readonly Change[]): Schema<'SyncJobReceipt'> {
    const jobId = randomUUID();
    const done = this.jobBreaksAfter ?? changes.length;
    const results = this.#apply(clientId, changes.slice(0, done));
    const isWhole = done >= changes.length;
    this.jobBreaksAfter = null;
    this.#jobs.set(jobId, {
      jobId,
      status: isWhole ? 'succeeded' : 'failed',
      progress: { done, total: changes.length },
      result: (isWhole
        ? this.#response({ no: this.#head, isFirst: false }, results)
        : null) as Schema<'SyncJob'>['result'],
      error: isWhole ? null : { code: 'unexpected_failure', detail: 'The job broke off.' },
      createdAt: at,
      startedAt: at,
      finishedAt: at,
      createdBy: { ...author, name: 'Ada' },
      clientId,
    });
    return { jobId, status: 'queued' };
  }

  #apply(clientId: string, changes: readonly Change[]): Result[] {
    const sent = new Map<string, Follow>();
    return changes.map((change) => {
      const { id, mutationId, baseRevision } = change;
      const chain = `${id}:${baseRevision}`;
      const key = `${clientId}:${mutationId}`;
      const known = this.#mutations.get(key);
      const result: Result = known
        ? { ...known, replayed: true }
        : this.#decide(change, sent.get(chain));
      this.#mutations.set(key, known ?? result);
      sent.set(chain, followOf(change, result));
      return result;
    });
  }

  #decide(change: Change, follows: Follow | undefined): Result {
    const { id, mutationId, baseRevision } = change;
    const versions = this.#notes.get(id)?.versions ?? [];
    const now = versions.at(-1);
    const named = versions.find(({ revision }) => revision === baseRevision)?.text ?? null;
    const base = follows ?? { revision: baseRevision, text: named };
    const resultOf = (status: Result['status'], more: Partial<Result> = {}): Result => {
      const revision = this.#notes.get(id)?.versions.at(-1)?.revision ?? null;
      return { mutationId, id, status, revision, ...more };
    };
    const write = (status: Result['status'], text: NoteText | null): Result => {
      this.#write({ id }, now ? now.revision + 1 : Math.max(1, (baseRevision ?? 0) + 1), text);
      return resultOf(status);
    };
    if (this.rejects(change)) {
      const error = {
        code: this.rejectsWith,
        detail: 'The simulated server refuses it.',
      };
      return { mutationId, id, status: 'rejected', revision: null, error };
    }
    if (change.op === 'put' && this.proposes(change)) {
      const proposalId = this.proposals.add(change);
      return { mutationId, id, status: 'proposed', revision: null, proposalId };
    }
    if (change.op === 'delete') {
      if (!now?.text) {
        return resultOf('unchanged');
      }
      return base.revision === now.revision ? write('applied', null) : resultOf('conflict');
    }
    const text = change.note as NoteText;
    if (!now?.text) {
      return write(now ? 'restored' : 'applied', text);
    }
    if (JSON.stringify(now.text) === JSON.stringify(text)) {
      return resultOf('unchanged');
    }
    if (base.revision === now.revision) {
      return write('applied', text);
    }
    const merged = base.text && mergeLines(base.text, text, now.text);
    if (merged) {
      return write('merged', merged);
    }
    const conflictNoteId = randomUUID();
    this.#write({ id: conflictNoteId, conflictOf: id }, 1, text);
    return resultOf('conflict', { conflictNoteId });
  }

  #write({ id, conflictOf = null }: NoteName, revision: number, text: NoteText | null): void {
    const note = this.#notes.get(id) ?? { id, conflictOf, versions: [] };
    this.#head += 1;
    note.versions.push({ revision, text, no: this.#head, at: this.now().toISOString() });
    this.#notes.set(id, note);
  }

  #response(from: { readonly no: number; readonly isFirst: boolean }, results: readonly Result[]) {
    const newer = [...this.#notes.values()]
      .map((note) => ({ ...note, last: note.versions.at(-1) as Version }))
      .filter(({ last }) => last.no > from.no && (last.text !== null || !from.isFirst))
      .toSorted((a, b) => a.last.no - b.last.no);
    const page = newer.slice(0, Math.min(this.pageSize, this.lastLimit));
    const hasMore = newer.length > page.length;
    const reached = hasMore ? (page.at(-1)?.last.no ?? 0) : this.#head;
    const confirmed = new Set(
      results
        .filter(({ status }) => ['applied', 'restored', 'unchanged'].includes(status))
        .map(({ id, revision }) => `${id}:${revision}`),
    );
    const changes = page
      .filter(({ id, last }) => !confirmed.has(`${id}:${last.revision}`))
      .map(presentNote);
    const count = (status: string): number =>
      results.filter((each) => each.status === status).length;
    return {
      results,
      changes,
      cursor: `${this.#epoch}:${this.#oldestCursor}:${reached}`,
      epoch: this.#epoch,
      hasMore,
      ...(hasMore || this.hidesNotes ? {} : { integrity: this.#integrity() }),
      counts: {
        applied: count('applied'),
        merged: count('merged'),
        restored: count('restored'),
        conflicts: count('conflict'),
        unchanged: count('unchanged'),
        rejected: count('rejected'),
        returned: changes.length,
      },
      serverTime: this.now().toISOString(),
    };
  }

  #integrity() {
    const activeNotes = [...this.#active()];
    const digest = activeNotes.reduce((sum, { id, last }) => {
      const hash = createHash('sha256').update(`${id}:${last.revision}`).digest();
      return BigInt.asUintN(64, sum + hash.readBigUInt64BE());
    }, BigInt(this.isDigestWrong));
    return { count: activeNotes.length, digest: digest.toString(16).padStart(16, '0') };
  }

  *#active() {
    for (const { id, versions } of this.#notes.values()) {
      const last = versions.at(-1);
      if (last?.text) {
        yield { id, last: { ...last, text: last.text } };
      }
    }
  }
}

/** What a later change of the same request is made on. */
type Follow = { readonly revision: number | null; readonly text: NoteText | null };

const followOf = (change: Change, { status, revision }: Result): Follow => ({
  revision: ['applied', 'restored', 'unchanged'].includes(status) ? revision : null,
  text: change.op === 'put' ? (change.note as NoteText) : null,
});

const parseCursor = (cursor: string) => {
  const [epoch = '', oldest, no] = cursor.split(':');
  return { epoch, oldest: Number(oldest), no: Number(no) };
};

const presentNote = ({ id, conflictOf, last }: Stored & { readonly last: Version }) => {
  const { revision, text } = last;
  const fields = text ?? {
    title: '',
    folder: '',
    tags: [],
    pinned: false,
    archived: false,
    properties: {},
  };
  return {
    id,
    companyId,
    ...fields,
    revision,
    conflictOf,
    size: Buffer.byteLength(text?.content ?? ''),
    snippet: (text?.content ?? '').slice(0, 200),
    createdAt: at,
    updatedAt: last.at,
    deletedAt: text ? null : at,
    createdBy: author,
    updatedBy: author,
  };
};

const problem = (code: ErrorCode) => {
  const { status, title } = errorCodes[code];
  const body = { type: 'about:blank', title, status, detail: title, code, requestId: 'request-1' };
  return { status, body };
};
