import { randomUUID } from 'node:crypto';
import type { NoteOrSummary } from '@commonplace/contracts';
import { callWithFault, isUnavailable, type NetworkFault } from './api-call.ts';
import { generationOf, type ClientState } from './client-state.ts';

const logsCount = 3;

/** Gets the log of a title that all clients use, or creates it; the next PATCH appends to it. */
export const openLog = async (client: ClientState, kind: NetworkFault): Promise<void> => {
  const { actor, company, expectations, history, random } = client;
  const title = `Log ${generationOf(client)} ${random.below(logsCount)}`;
  const request = {
    method: 'POST',
    path: '/api/notes',
    body: { title, folder: 'logs', ifTitleExists: 'return' },
    headers: random.chance(0.5) ? { 'idempotency-key': randomUUID() } : {},
  };
  const responses = await callWithFault(company, request, { kind, afterMs: random.below(60) });
  for (const response of responses) {
    if (isUnavailable(response)) {
      continue;
    }
    history.count('logs opened');
    if (response.status !== 200 && response.status !== 201) {
      history.violate('a log is opened', `${actor}: ${title} ${response.status}`);
      continue;
    }
    const { id } = response.body as NoteOrSummary;
    if (!expectations.recordTitle(title, id)) {
      history.violate('one note per title', `${actor}: ${title} is also ${id}`);
    }
    client.appendTo = id;
  }
};
