import type { SyncChangeResult } from '@commonplace/contracts';
import { callWith, isAway, syncResultOf, type Answer, type Ask, type Mishap } from './call.ts';
import type { ClientState, Request } from './client-state.ts';
import { judgeCursor } from './judge-cursor.ts';
import { launch } from './outbox.ts';

/** One round trip; true when it was the last page and nothing is left to send. */
export const synchronise = async (client: ClientState, kind: Mishap): Promise<boolean> => {
  const { who, company, copy, cursor, drafts, history, isFresh, random } = client;
  client.request ??= drafts.size > 0 && !isFresh ? launch(client) : null;
  const current = isFresh ? null : client.request;
  const changes = current?.changes ?? [];
  const body = { clientId: client.clientId, cursor, limit: 1 + random.below(40), changes };
  const ask: Ask = { method: 'POST', path: '/api/sync', body };
  const answers = await callWith(company, ask, { kind, afterMs: random.below(60) });
  const given = answers.filter((answer) => !isAway(answer)) as NonNullable<Answer>[];
  const [answer] = given;
  if (!answer) {
    return false;
  }
  if (answer.status === 410) {
    history.count('pulls afresh after 410');
    client.cursor = null;
    client.isFresh = true;
    copy.clear();
    return false;
  }
  if (answer.status !== 200) {
    history.violate(
      'a sync is answered',
      `${who}: ${answer.status} ${JSON.stringify(answer.body)}`,
    );
    return false;
  }
  sameOutcome(
    client,
    given.filter(({ status }) => status === 200),
  );
  const result = syncResultOf(answer);
  if (current) {
    client.request = null;
    result.results.forEach((each) => takeResult(client, each, current));
    client.sent.push({ body, results: result.results });
  }
  result.changes.forEach(copy.take);
  judgeCursor({ who, before: cursor, after: result.cursor }, history);
  client.cursor = result.cursor;
  client.cursors.push(result.cursor);
  history.count('syncs');
  if (!result.hasMore) {
    client.isFresh = false;
    await copy.compare(result.integrity);
  }
  return !result.hasMore && drafts.size === 0 && client.request === null;
};

const takeResult = (client: ClientState, result: SyncChangeResult, of: Request): void => {
  const { who, copy, history, tracker } = client;
  const { id, status, revision, note, conflictNoteId } = result;
  const change = of.changes.find(({ mutationId }) => mutationId === result.mutationId);
  history.count(`changes ${status}`);
  history.say(
    who,
    `${result.mutationId} of ${id} (base ${change?.baseRevision ?? null}): ${status} ${revision ?? ''}${result.replayed ? ' replayed' : ''} ${(of.tokens.get(id) ?? []).join(' ')}`,
  );
  if (status === 'rejected') {
    history.violate('good changes are not rejected', `${who}: ${JSON.stringify(result)}`);
    return;
  }
  if (conflictNoteId !== undefined && !tracker.keepCopy(result.mutationId, conflictNoteId)) {
    history.violate('one conflict copy per mutation', `${who}: ${result.mutationId}`);
  }
  of.tokens.get(id)?.forEach(tracker.acknowledge);
  const current = copy.notes.get(id)?.revision ?? 0;
  if (note && note.revision >= current) {
    copy.take(note);
  } else if (status !== 'merged' && status !== 'conflict' && (revision ?? current) >= current) {
    copy.set(id, revision ?? current, change?.op === 'put' ? (change.note?.content ?? '') : null);
  }
};

/** A request that came twice must be answered the same both times. */
const sameOutcome = (
  { who, history }: ClientState,
  answers: readonly NonNullable<Answer>[],
): void => {
  const [first, second] = answers.map((answer) =>
    JSON.stringify(
      syncResultOf(answer).results.map(({ mutationId, status, revision, conflictNoteId }) => [
        mutationId,
        status,
        revision,
        conflictNoteId,
      ]),
    ),
  );
  if (second !== undefined && first !== second) {
    history.violate('replays answer the same', `${who}: ${first} and ${second}`);
  }
};
