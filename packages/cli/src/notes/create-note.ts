import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse, Schema } from '@commonplace/client';
import { repeat } from './repeat.ts';

type CreateRequest = Schema<'CreateNoteRequest'>;

/** Creates a note. One `Idempotency-Key` for all attempts, so that a retry never creates two. */
export const createNote = (
  api: ApiClient,
  body: CreateRequest,
): Promise<ApiResponse<Schema<'NoteReceipt'> | Schema<'Proposed'>>> => {
  const headers = { Prefer: 'return=minimal', 'Idempotency-Key': randomUUID() };
  return repeat(() => api.post('/api/notes', { headers, body }));
};
