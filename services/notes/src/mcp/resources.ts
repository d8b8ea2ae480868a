import { noteId, type NoteId } from '@commonplace/contracts/core';
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

/** The whole content of a note. */
export const readResource = async (
  { call }: McpSession,
  uri: string,
): Promise<ReadResourceResult> => {
  const id = idOf(uri);
  if (id === null) {
    throw new ResourceNotFoundError(uri);
  }
  const found = await call(getNoteContract, { params: { id } }).catch((error: unknown) => {
    if (asAppError(error).status === 404) {
      throw new ResourceNotFoundError(uri);
    }
    return reject(error);
  });
  const { content } = bodyOf<typeof getNoteContract>(found);
  return { contents: [{ uri, mimeType, text: content }] };
};

const idOf = (uri: string): NoteId | null => {
  const parsed = noteId.safeParse(uri.startsWith(scheme) ? uri.slice(scheme.length) : '');
  return parsed.success ? parsed.data : null;
};

/** Rejects with the code and message of an error; unexpected ones say nothing of their cause. */
export const reject = (thrown: unknown): never => {
  const { code, message, status } = asAppError(thrown);
  const kind = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  throw new ProtocolError(kind, `${code}: ${message}`, { code });
};
