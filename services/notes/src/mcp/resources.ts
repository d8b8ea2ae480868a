import { AppError, noteId, type NoteId } from '@commonplace/contracts/core';
import { getNoteContract, listNotesContract } from '@commonplace/contracts/notes';
import { asAppError, bodyOf } from '@commonplace/http';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { oneLine } from './format.ts';
import type { McpSession } from './mcp-session.ts';
import { unknownArguments } from './parse-call.ts';

const scheme = 'note://';
const mimeType = 'text/markdown';

/** The URI of a note. */
export const uriOf = (id: string): string => `${scheme}${id}`;

export const resourceTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: `${scheme}{id}`,
      name: 'note',
      description: 'A note of the company, by its id',
      mimeType,
    },
    {
      uriTemplate: `${scheme}{id}{?from,maxBytes}`,
      name: 'part of a note',
      description: 'At most maxBytes bytes of it, beginning at the byte from',
      mimeType,
    },
  ],
};

/** The pinned notes, newest change first. */
export const listResources = async (
  { call }: McpSession,
  cursor: string | undefined,
): Promise<ListResourcesResult> => {
  const { items, nextCursor } = bodyOf<typeof listNotesContract>(
    await call(listNotesContract, { query: { pinned: 'true', limit: '50', cursor } }).catch(reject),
  );
  return {
    resources: items.map(({ id, title, size, updatedAt }) => ({
      uri: uriOf(id),
      name: oneLine(title) || 'Untitled',
      mimeType,
      size,
      annotations: { lastModified: updatedAt },
    })),
    ...(nextCursor === null ? {} : { nextCursor }),
  };
};

/** The content of a note, or the window that the URI names. */
export const readResource = async (
  { call }: McpSession,
  uri: string,
): Promise<ReadResourceResult> => {
  const id = noteOfUri(uri);
  if (id === null) {
    throw new ResourceNotFoundError(uri);
  }
  const query = windowOf(uri.split('?')[1] ?? '');
  const found = await call(getNoteContract, { params: { id }, query }).catch((error: unknown) => {
    if (asAppError(error).status === 404) {
      throw new ResourceNotFoundError(uri);
    }
    return reject(error);
  });
  const { content } = bodyOf<typeof getNoteContract>(found);
  return { contents: [{ uri, mimeType, text: content }] };
};

/** The note of a URI, or of that of a part of it; null: it is none. */
export const noteOfUri = (uri: string): NoteId | null => {
  const [place = '', ...rest] = uri.split('?');
  const isNote = place.startsWith(scheme) && rest.length <= 1;
  return (isNote ? noteId.safeParse(place.slice(scheme.length)).data : null) ?? null;
};

/** The query of a URI. The route checks the values. */
const windowOf = (query: string): Readonly<Record<string, string>> => {
  const given = [...new URLSearchParams(query)];
  const names = given.map(([name]) => name);
  const unknown = names.filter((name) => name !== 'from' && name !== 'maxBytes');
  if (unknown.length > 0 || new Set(names).size < names.length) {
    const detail = unknownArguments(unknown.length > 0 ? unknown : names, ['from', 'maxBytes']);
    reject(new AppError('validation_failed', detail));
  }
  return Object.fromEntries(given);
};

/** Rejects with the code and message of an error; unexpected ones say nothing of their cause. */
export const reject = (thrown: unknown): never => {
  const { code, message, status } = asAppError(thrown);
  const kind = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  throw new ProtocolError(kind, `${code}: ${message}`, { code });
};
