import { randomUUID } from 'node:crypto';
import { call, isAway } from './call.ts';
import type { ClientState } from './client-state.ts';
import { manyLines } from './hard-texts.ts';

type Client = Pick<ClientState, 'company' | 'history' | 'tracker' | 'who'>;

/** Writes that are under way beside the merge. */
const neighboursCount = 20;

/**
 * Merges an insertion of very many lines with a word at the end of the note, while others write: neither the merge
 * nor the writes beside it may fail.
 */
export const mergeManyLines = async (client: Client): Promise<void> => {
  const { company, tracker } = client;
  const [id, word] = [randomUUID(), tracker.newToken()];
  const put = (content: string, baseRevision: number | null) =>
    send(client, {
      method: 'POST',
      path: '/api/sync',
      body: {
        clientId: `lines-${id}`.slice(0, 64),
        limit: 1,
        changes: [
          {
            mutationId: randomUUID(),
            id,
            op: 'put',
            baseRevision,
            note: { title: 'Many lines', content },
          },
        ],
      },
    });
  if (!(await put('a\nb\nc\n', null)) || !(await put(`a\n${manyLines}b\nc\n`, 1))) {
    return;
  }
  const neighbours = Array.from({ length: neighboursCount }, () =>
    send(client, {
      method: 'PUT',
      path: `/api/notes/${randomUUID()}`,
      body: { title: 'Neighbour', content: company.companyId },
    }),
  );
  const [isKept] = await Promise.all([put(`a\nb\nc\n${word}\n`, 1), ...neighbours]);
  if (isKept) {
    tracker.acknowledge(word);
  }
};

/** True when it was done; a part of the system may be away meanwhile. */
const send = async (
  { company, history, who }: Client,
  ask: Parameters<typeof call>[1],
): Promise<boolean> => {
  const answer = await call(company, ask);
  if (isAway(answer)) {
    return false;
  }
  const isDone = answer.status === 200 || answer.status === 201;
  if (!isDone) {
    const { code } = answer.body as { readonly code?: string };
    history.violate('a write beside a hard merge is kept', `${who}: ${ask.path} ${code}`);
  }
  return isDone;
};
