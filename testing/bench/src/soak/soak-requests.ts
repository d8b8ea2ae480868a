import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { toolCall } from '../load/mcp-request.ts';
import type { LoadRequest } from '../load/run-load.ts';
import { noteOf } from '../system/texts.ts';

const noteText = JSON.stringify(noteOf('soaked {{n}}'));
const sentence = 'which note says who jumps over the lazy dog';

/** What every client of the company sends one after another: as an agent, and as a host with the token of its connection. */
export const soakRequests = (
  { key, noteId }: CompanyWorld,
  connectionToken: string,
): readonly LoadRequest[] => {
  const headers = { ...bearer(key), 'content-type': 'application/json' };
  const host = bearer(connectionToken);
  const note = `/api/notes/${noteId}`;
  const get = (path: string): LoadRequest => ({ method: 'GET', path, headers });
  const send = (method: 'PUT' | 'PATCH' | 'POST', path: string, body: string): LoadRequest => ({
    method,
    path,
    headers,
    body,
  });
  return [
    get(note),
    get('/api/notes?limit=50'),
    send('PUT', note, noteText),
    get('/api/agents/me'),
    get('/api/notes?q=soaked'),
    get(`/api/notes?limit=10&match=best&q=${encodeURIComponent(sentence)}`),
    send('PATCH', note, JSON.stringify({ edits: [{ op: 'append', text: 'One more line.\n' }] })),
    get(`${note}/revisions?limit=20`),
    send('POST', '/api/context', JSON.stringify({ query: sentence })),
    { ...toolCall(host, 'read_note', { id: noteId }), path: '/connect/mcp' },
    { ...toolCall(host, 'search_notes', { query: sentence }), path: '/connect/mcp' },
    toolCall(bearer(key), 'edit_note', { id: noteId, append: 'A line over MCP.\n' }),
  ];
};
