import type { NoteOrSummary } from '@commonplace/contracts';
import { call, isAway } from './call.ts';
import type { ClientState } from './client-state.ts';

/** Writes past the outbox, as a program without one does. */
export const put = async (client: ClientState): Promise<void> => {
  const { who, company, history, hotIds, random, tracker } = client;
  const id = random.pick(hotIds);
  const read = await call(company, { method: 'GET', path: `/api/notes/${id}` });
  const before = isAway(read) || read.status !== 200 ? null : (read.body as NoteOrSummary);
  const token = tracker.newToken();
  const kind = random.pick(['current', 'stale', 'absent'] as const);
  const revision = Math.max(1, (before?.revision ?? 1) - (kind === 'stale' ? 1 : 0));
  tracker.replaceWith(token);
  const answer = await call(company, {
    method: 'PUT',
    path: `/api/notes/${id}`,
    body: { title: id, content: `${before?.content ?? ''}${token}\n` },
    headers: kind === 'absent' ? {} : { 'if-match': `"${revision}"` },
  });
  history.count('PUTs');
  if (isAway(answer) || answer.status === 412) {
    return;
  }
  if (answer.status !== 200 && answer.status !== 201) {
    history.violate('a PUT is answered', `${who}: ${answer.status}`);
    return;
  }
  history.say(who, `PUT ${id} ${kind}: revision ${answer.revision ?? '?'} ${token}`);
  tracker.acknowledge(token);
  await readYourWrite(client, id, answer.revision ?? 0);
};

/** Every process must show at once what one of them acknowledged. */
const readYourWrite = async (
  { who, company, history }: ClientState,
  id: string,
  revision: number,
): Promise<void> => {
  const reads = await Promise.all(
    [1, 2, 3, 4].map(() => call(company, { method: 'GET', path: `/api/notes/${id}` })),
  );
  for (const read of reads) {
    if (!isAway(read) && read.status === 200 && (read.revision ?? 0) < revision) {
      history.violate(
        'after an acknowledgement every instance shows it',
        `${who}: ${id} was ${revision}, and read as ${read.revision ?? '?'}`,
      );
    }
  }
};
