import type { Schema } from './api-client.ts';
import { isSameText, noteText, textOf } from './sync/note-text.ts';

/**
 * The answer to a `PUT` with `If-None-Match: *` that was sent again because its first answer was lost:
 * 412 then often means that the first attempt made the note. When the note that is there says what
 * this request says, the request has the effect it asked for, and this is its answer: 200 with the
 * note and its `ETag`. Null for everything else, such as a note that somebody has edited since.
 */
export const ownCreation = async (
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
  const current = isMap(problem) ? problem['current'] : undefined;
  if (!isMap(sent) || !isMap(current)) {
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

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
