import { randomUUID } from 'node:crypto';
import type { Schema } from '@commonplace/client';

type Proposal = Schema<'Proposal'>;
type Put = Extract<Schema<'SyncChange'>, { op: 'put' }>;

const at = '2026-01-01T00:00:00.000Z';
const author = { kind: 'agent', id: randomUUID(), name: 'Ada' } as const;
const companyId = randomUUID();

/** The proposals of a simulated server. */
export class SimulatedProposals {
  readonly #all: Proposal[] = [];

  /** Makes an edit an open proposal; returns its id. */
  add({ id: noteId, baseRevision = null, note }: Put): string {
    const id = randomUUID();
    const { title = '', folder = '', tags = [], content = '' } = note;
    this.#all.unshift({
      id,
      companyId,
      state: 'open',
      noteId,
      proposalOf: baseRevision === null ? null : noteId,
      baseRevision,
      title,
      folder,
      tags,
      pinned: false,
      archived: false,
      properties: {},
      size: Buffer.byteLength(content),
      snippet: content.slice(0, 200),
      reason: null,
      author,
      createdAt: at,
      expiresAt: at,
      decidedBy: null,
      decidedAt: null,
      decisionReason: null,
      revision: null,
      supersededBy: null,
      note: null,
    });
    return id;
  }

  /** Rejects every open one. */
  reject(decisionReason: string): void {
    for (const proposal of this.#all) {
      Object.assign(proposal, { state: 'rejected', decisionReason, decidedBy: author });
    }
  }

  /** The response of `GET /api/notes/proposals`, in pages of ten. */
  list(query: URLSearchParams) {
    const [state, noteId] = [query.get('state'), query.get('noteId')];
    const found = this.#all.filter(
      (each) => each.state === (state ?? each.state) && each.noteId === (noteId ?? each.noteId),
    );
    const from = Number(query.get('cursor') ?? 0);
    return {
      items: found.slice(from, from + 10),
      nextCursor: found.length > from + 10 ? String(from + 10) : null,
      open: this.#all.filter((each) => each.state === 'open').length,
    };
  }
}
