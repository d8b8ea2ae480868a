import type { SyncChangeResult } from '@commonplace/contracts';
import {
  callWithFault,
  isUnavailable,
  syncResultOf,
  type ApiResponse,
  type ApiRequest,
  type NetworkFault,
} from './api-call.ts';
import type { ClientState, Request } from './client-state.ts';
import { verifyCursor } from './verify-cursor.ts';
import { buildRequest } from './outbox.ts';

/** One round trip; true if the page was the last and nothing is left to push. */
export const synchronise = async (client: ClientState, kind: NetworkFault): Promise<boolean> => {
  const { actor, company, replica, cursor, drafts, history, isFresh, random } = client;
  client.request ??= drafts.size > 0 && !isFresh ? buildRequest(client) : null;
  const current = isFresh ? null : client.request;
  const body = bodyOf(client, current?.changes ?? []);
  const request: ApiRequest = { method: 'POST', path: '/api/sync', body };
  const responses = await callWithFault(company, request, { kind, afterMs: random.below(60) });
  const given = responses.filter(
    (response) => !isUnavailable(response),
  ) as NonNullable<ApiResponse>[];
  const [response] = given;
  if (!response) {
    return false;
  }
  if (response.status === 410) {
    history.count('full pulls after 410');
    client.cursor = null;
    client.isFresh = true;
    replica.clear();
    return false;
  }
  if (response.status !== 200) {
    history.violate(
      'a sync succeeds',
      `${actor}: ${response.status} ${JSON.stringify(response.body)}`,
    );
    return false;
  }
  sameOutcome(
    client,
    given.filter(({ status }) => status === 200),
  );
  const result = syncResultOf(response);
  if (current) {
    client.request = null;
    result.results.forEach((each) => takeResult(client, each, current));
    client.sent.push({ body, results: result.results });
  }
  result.changes.forEach(replica.take);
  verifyCursor({ actor, before: cursor, after: result.cursor }, history);
  client.cursor = result.cursor;
  client.cursors.push(result.cursor);
  history.count('syncs');
  if (!result.hasMore) {
    client.isFresh = false;
    await replica.compare(result.integrity);
  }
  return !result.hasMore && drafts.size === 0 && client.request === null;
};

/** Rarely the text that the client has sent itself is left out. */
const bodyOf = (
  { clientId, cursor, isFresh, random }: ClientState,
  changes: Request['changes'],
) => {
  const echo = cursor === null || isFresh || random.chance(0.7);
  return { clientId, cursor, limit: 1 + random.below(40), echo, changes };
};

const takeResult = (client: ClientState, result: SyncChangeResult, of: Request): void => {
  const { actor, replica, history, expectations } = client;
  const { id, status, revision, note, conflictNoteId } = result;
  const change = of.changes.find(({ mutationId }) => mutationId === result.mutationId);
  history.count(`changes ${status}`);
  history.record(
    actor,
    `${result.mutationId} of ${id} (base ${change?.baseRevision ?? null}): ${status} ${revision ?? ''}${result.replayed ? ' replayed' : ''} ${(of.tokens.get(id) ?? []).join(' ')}`,
  );
  if (status === 'rejected') {
    history.violate('valid changes are not rejected', `${actor}: ${JSON.stringify(result)}`);
    return;
  }
  if (
    conflictNoteId !== undefined &&
    !expectations.recordConflictCopy(result.mutationId, conflictNoteId)
  ) {
    history.violate('one conflict copy per mutation', `${actor}: ${result.mutationId}`);
  }
  of.tokens.get(id)?.forEach(expectations.acknowledge);
  const current = replica.notes.get(id)?.revision ?? 0;
  if (note && note.revision >= current) {
    replica.take(note);
  } else if (status !== 'merged' && status !== 'conflict' && (revision ?? current) >= current) {
    replica.set(
      id,
      revision ?? current,
      change?.op === 'put' ? (change.note?.content ?? '') : null,
    );
  }
};

/** Verifies that duplicate requests got the same results. */
const sameOutcome = (
  { actor, history }: ClientState,
  responses: readonly NonNullable<ApiResponse>[],
): void => {
  const [first, second] = responses.map((response) =>
    JSON.stringify(
      syncResultOf(response).results.map(({ mutationId, status, revision, conflictNoteId }) => [
        mutationId,
        status,
        revision,
        conflictNoteId,
      ]),
    ),
  );
  if (second !== undefined && first !== second) {
    history.violate('replays return the same results', `${actor}: ${first} and ${second}`);
  }
};
