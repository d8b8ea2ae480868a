import type { Schema } from './api-client.ts';
import { isSameText, noteText, textOf } from './sync/note-text.ts';

/**
 * Handles a retried `PUT` with `If-None-Match: *` whose first response was lost. A 412 then often means
 * that the first attempt created the note. When the existing note equals the request, the request has
 * had its effect, and the result is 200 with the note and its `ETag`. Returns null in all other cases,
 * such as a note that was edited since.
 */
export const recoverCreation = async (
  request: Request,
  response: Response,
): Promise<Response | null> => {
  const isCreation = request.method === 'PUT' && request.headers.get('if-none-match') === '*';
  if (!isCreation || response.status !== 412) {
    return null;
  }
  const [sent, problem]: unknown[] = await Promise.all([
    request.clone().json(),
    response.clone().json(),
  ]).catch(() => []);
  const current = isRecord(problem) ? problem['current'] : undefined;
  if (!isRecord(sent) || !isRecord(current)) {
    return null;
  }
  const note = current as Schema<'NoteOrSummary'>;
  if (!isSameText(noteText(sent), textOf(note))) {
    return null;
  }
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  headers.set('etag', `"${note.revision}"`);
  return Response.json(note, { status: 200, headers });
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
