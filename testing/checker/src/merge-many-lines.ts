import { randomUUID } from 'node:crypto';
import { call, isUnavailable } from './api-call.ts';
import type { ClientState } from './client-state.ts';
import { manyLines } from './hard-texts.ts';

type Client = Pick<ClientState, 'company' | 'history' | 'expectations' | 'actor'>;

/** Writes concurrent with the merge. */
const neighboursCount = 20;

/**
 * Merges an insertion of very many lines with an edit at the end of the note, beside concurrent writes. Neither
 * the merge nor the writes may fail.
 */
export const mergeManyLines = async (client: Client): Promise<void> => {
  const { company, expectations } = client;
  const [id, word] = [randomUUID(), expectations.newToken()];
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
    expectations.acknowledge(word);
  }
};

/** True on success, false if a service was unavailable; anything else is a violation. */
const send = async (
  { company, history, actor }: Client,
  request: Parameters<typeof call>[1],
): Promise<boolean> => {
  const response = await call(company, request);
  if (isUnavailable(response)) {
    return false;
  }
  const isDone = response.status === 200 || response.status === 201;
  if (!isDone) {
    const { code } = response.body as { readonly code?: string };
    history.violate(
      'writes beside an expensive merge succeed',
      `${actor}: ${request.path} ${code}`,
    );
  }
  return isDone;
};
