import {
  blameNoteContract,
  diffNoteContract,
  getRevisionContract,
  listRevisionsContract,
  type Author,
  type NoteRevisionSummary,
} from '@commonplace/contracts/notes';
import type { NoteId } from '@commonplace/contracts/core';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { cursorText, position, revisionNumber } from '../argument-schemas.ts';
import { assertOnly } from '../assert-only.ts';
import { defineTool } from '../define-tool.ts';
import { fitted, moreLine, authorLabels, oneLine, type AuthorLabel } from '../format.ts';
import type { McpSession } from '../mcp-session.ts';
import { findNote, nameAliases, noteName } from '../note-name.ts';
import { contentWindow } from '../../rules/content-window.ts';
import { resultBytesDefault, texts } from '../tool-result.ts';

const input = z.strictObject({
  ...noteName,
  view: z.enum(['revisions', 'diff', 'blame']).default('revisions'),
  from: revisionNumber.optional().describe('diff: from this revision, default the one before'),
  to: revisionNumber.optional().describe('diff: to this one, default the newest'),
  fromLine: position(1).optional().describe('blame'),
  toLine: position(1).optional().describe('blame'),
  limit: z.int().min(1).max(100).optional().describe('revisions, default 20'),
  cursor: cursorText.optional().describe('revisions'),
});
type Request = Omit<z.output<typeof input>, keyof typeof noteName>;

/** What each view takes. */
const optionsOf = {
  revisions: ['limit', 'cursor'],
  diff: ['from', 'to'],
  blame: ['fromLine', 'toLine'],
} as const;

export const noteHistory = defineTool({
  name: 'note_history',
  description:
    'The versions of a note with authors, what differs between two, or who wrote which lines.',
  contract: listRevisionsContract,
  effect: 'reads',
  input,
  aliases: { ...nameAliases, mode: 'view', from_revision: 'from', to_revision: 'to' },
  run: async (session, { id: givenId, path, title, view, ...options }) => {
    assertOnly(options, optionsOf[view], `view ${view}`);
    const { id } = await findNote(
      session,
      { id: givenId, path, title },
      { withDeleted: view !== 'blame' },
    );
    const request = { view, ...options };
    switch (request.view) {
      case 'revisions':
        return texts(await revisions(session, id, request));
      case 'diff':
        return texts(await diff(session, id, request));
      case 'blame':
        return texts(await blame(session, id, request));
    }
  },
});

const revisions = async (session: McpSession, id: NoteId, { limit = 20, cursor }: Request) => {
  const { items, nextCursor } = bodyOf<typeof listRevisionsContract>(
    await session.call(listRevisionsContract, {
      params: { id },
      query: { limit: String(limit), cursor },
    }),
  );
  const labelOf = await authorLabels(
    session,
    items.flatMap(({ createdBy, proposal }) => [
      createdBy,
      ...(proposal ? [proposal.acceptedBy] : []),
    ]),
  );
  const lineOf = (item: (typeof items)[number], bytesMax: number): string =>
    `rev ${item.revision} · ${item.createdAt} · ${labelOf(item.createdBy)} · ${item.deleted ? 'deleted' : `${item.size} B`} · ${oneLine(item.title, bytesMax) || 'Untitled'}${restoredOf(item)}${acceptedBy(item, labelOf)}${undoneBy(item)}`;
  return fitted((bytesMax) =>
    [...items.map((item) => lineOf(item, bytesMax)), ...moreLine(nextCursor)].join('\n'),
  );
};

const restoredOf = ({ restoredFrom }: NoteRevisionSummary): string =>
  restoredFrom === undefined ? '' : ` · restored from rev ${restoredFrom}`;

type Accepted = { readonly proposal?: { readonly acceptedBy: Author } | undefined };

const acceptedBy = ({ proposal }: Accepted, labelOf: AuthorLabel): string =>
  proposal ? ` · proposal accepted by ${labelOf(proposal.acceptedBy)}` : '';

/** Revisions that are named on a line; an undo may have taken out a thousand. */
const undoneMax = 10;

const undoneBy = ({ undoes }: NoteRevisionSummary): string => {
  if (undoes === undefined || undoes.revisions.length === 0) {
    return '';
  }
  const shown = undoes.revisions.slice(-undoneMax).join(', ');
  return ` · undoes rev ${undoes.revisions.length > undoneMax ? `…, ${shown}` : shown}`;
};

const diff = async (session: McpSession, id: NoteId, { from, to }: Request) => {
  const start = from ?? Math.max(1, (to ?? (await newestRevision(session, id))) - 1);
  const compared = bodyOf<typeof diffNoteContract>(
    await session.call(diffNoteContract, {
      params: { id },
      query: { from: String(start), ...(to === undefined ? {} : { to: String(to) }) },
    }),
  );
  const fields = compared.fields.map(
    ({ field, diff: text, truncated }) =>
      `${field}${truncated ? ' (cut: compare revisions closer to each other)' : ''}:\n${text}`,
  );
  return bounded(
    [
      `rev ${compared.from} to ${compared.to}`,
      ...(fields.length > 0 ? fields : ['No difference.']),
    ].join('\n'),
    'compare revisions closer to each other',
  );
};

const newestRevision = async (session: McpSession, id: NoteId): Promise<number> => {
  const { items } = bodyOf<typeof listRevisionsContract>(
    await session.call(listRevisionsContract, { params: { id }, query: { limit: '1' } }),
  );
  return items[0]?.revision ?? 1;
};

const blame = async (session: McpSession, id: NoteId, { fromLine, toLine }: Request) => {
  const origin = bodyOf<typeof blameNoteContract>(
    await session.call(blameNoteContract, {
      params: { id },
      query: {
        ...(fromLine === undefined ? {} : { fromLine: String(fromLine) }),
        ...(toLine === undefined ? {} : { toLine: String(toLine) }),
      },
    }),
  );
  const labelOf = await authorLabels(
    session,
    origin.ranges.flatMap(({ author, proposal }) => [
      author,
      ...(proposal ? [proposal.acceptedBy] : []),
    ]),
  );
  const { content } = bodyOf<typeof getRevisionContract>(
    await session.call(getRevisionContract, {
      params: { id, revision: String(origin.revision) },
    }),
  );
  const lines = content.split('\n');
  const parts = origin.ranges.map((range) => [
    `${range.fromLine}-${range.toLine}: rev ${range.revision}${range.atOrBefore ? ' or before' : ''} · ${range.at} · ${labelOf(range.author)}${acceptedBy(range, labelOf)}`,
    ...lines.slice(range.fromLine - 1, range.toLine).map((line) => `  ${oneLine(line)}`),
  ]);
  const { shown, next } = wholeRanges(parts, origin.ranges);
  const last = origin.ranges.at(-1)?.toLine ?? 0;
  const more = next ?? (toLine === undefined && last < origin.lines ? last + 1 : null);
  return [
    `rev ${origin.revision}, ${origin.lines} lines`,
    ...shown,
    ...(more === null ? [] : [`More: call again with fromLine ${more}.`]),
  ].join('\n');
};

/** Of a result, for its first and last line. */
const blameFrameBytes = 200;

/** As many lines of text as a result has room for, and the line after them; null: all. */
const wholeRanges = (
  parts: readonly (readonly string[])[],
  ranges: readonly { readonly fromLine: number }[],
): { readonly shown: readonly string[]; readonly next: number | null } => {
  let left = resultBytesDefault - blameFrameBytes;
  const shown: string[] = [];
  for (const [index, part] of parts.entries()) {
    for (const [line, text] of part.entries()) {
      left -= Buffer.byteLength(text) + 1;
      if (left < 0) {
        return { shown, next: (ranges[index]?.fromLine ?? 1) + Math.max(0, line - 1) };
      }
      shown.push(text);
    }
  }
  return { shown, next: null };
};

const bounded = (text: string, next: string): string => {
  const { text: shown, truncated, size } = contentWindow(text, { maxBytes: resultBytesDefault });
  return truncated ? `${shown}\n(cut at ${resultBytesDefault} of ${size} bytes: ${next})` : shown;
};
