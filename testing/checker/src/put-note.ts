import type { NoteOrSummary } from '@commonplace/contracts';
import { call, isUnavailable } from './api-call.ts';
import { currentHotIds, type ClientState } from './client-state.ts';

/** Writes a note by PUT, without the outbox. */
export const put = async (client: ClientState): Promise<void> => {
  const { actor, company, history, random, expectations } = client;
  const id = random.pick(currentHotIds(client));
  const read = await call(company, { method: 'GET', path: `/api/notes/${id}` });
  const before = isUnavailable(read) || read.status !== 200 ? null : (read.body as NoteOrSummary);
  const token = expectations.newToken();
  const kind = random.pick(['current', 'stale', 'absent'] as const);
  const revision = Math.max(1, (before?.revision ?? 1) - (kind === 'stale' ? 1 : 0));
  expectations.recordReplacement(token);
  const response = await call(company, {
    method: 'PUT',
    path: `/api/notes/${id}`,
    body: { title: id, content: `${before?.content ?? ''}${token}\n` },
    headers: kind === 'absent' ? {} : { 'if-match': `"${revision}"` },
  });
  history.count('PUTs');
  if (isUnavailable(response) || response.status === 412) {
    return;
  }
  if (response.status !== 200 && response.status !== 201) {
    history.violate('a PUT succeeds', `${actor}: ${response.status}`);
    return;
  }
  history.record(actor, `PUT ${id} ${kind}: revision ${response.revision ?? '?'} ${token}`);
  expectations.acknowledge(token);
  await readYourWrite(client, id, response.revision ?? 0);
};

/** Verifies that every process returns an acknowledged revision at once. */
const readYourWrite = async (
  { actor, company, history }: ClientState,
  id: string,
  revision: number,
): Promise<void> => {
  const reads = await Promise.all(
    [1, 2, 3, 4].map(() => call(company, { method: 'GET', path: `/api/notes/${id}` })),
  );
  for (const read of reads) {
    if (!isUnavailable(read) && read.status === 200 && (read.revision ?? 0) < revision) {
      history.violate(
        'an acknowledged write is visible on every instance',
        `${actor}: ${id} was ${revision}, and read as ${read.revision ?? '?'}`,
      );
    }
  }
};
