import type { JsonOf } from '@commonplace/contracts/core';
import type { NoteOrSummary } from '@commonplace/contracts/notes';
import type { AuthorKind, NoteRowInJson } from '../queries/note-rows.ts';

/**
 * The JSON of `presentChange`, written without intermediate objects. A full pull has thousands of notes; building,
 * validating and serializing an object for each took half of the service's time.
 */
export const writeChange = (
  row: Omit<NoteRowInJson, 'content'> & { readonly content: string | null },
): JsonOf<NoteOrSummary> => {
  const name = `"id":"${row.id}","companyId":"${row.companyId}","title":${text(row.title)}`;
  const place = `"folder":${text(row.folder)},"tags":${JSON.stringify(row.tags)}`;
  const marks = `"pinned":${row.pinned},"archived":${row.archived},"properties":${row.properties}`;
  const version = `"revision":${row.revision},"size":${row.size},"snippet":${text(row.snippet)}`;
  const origin = `"conflictOf":${plain(row.conflictOf)},"createdAt":"${row.createdAt}"`;
  const times = `"updatedAt":"${row.updatedAt}","deletedAt":${plain(row.deletedAt)}`;
  const creator = author(row.createdByKind, row.createdById, row.createdByRunId);
  const updater = author(row.updatedByKind, row.updatedById, row.updatedByRunId);
  const authors = `"createdBy":${creator},"updatedBy":${updater}`;
  const content = row.deletedAt === null && row.content !== null ? `,"content":${row.content}` : '';
  const json = `{${name},${place},${marks},${version},${origin},${times},${authors}${content}}`;
  return json as JsonOf<NoteOrSummary>;
};

const text = (value: string): string => JSON.stringify(value);

/** A string without characters to escape, or null. */
const plain = (value: string | null): string => (value === null ? 'null' : `"${value}"`);

const author = (kind: AuthorKind, id: string, runId: string | null): string =>
  `{"kind":"${kind}","id":"${id}"${runId === null ? '' : `,"runId":"${runId}"`}}`;
