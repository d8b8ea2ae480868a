import { call, isAway, syncResultOf } from './call.ts';
import type { ClientState } from './client-state.ts';

/** Sends an old request again: it must be answered as it was, and change nothing. */
export const replay = async (client: ClientState): Promise<void> => {
  const { who, company, history, random, sent } = client;
  const old = sent.length > 0 ? random.pick(sent) : null;
  const body = old && { ...old.body, cursor: null, limit: 1 };
  const answer = body && (await call(company, { method: 'POST', path: '/api/sync', body }));
  if (!old || !answer || answer.status !== 200) {
    return;
  }
  history.count('replays');
  const again = syncResultOf(answer).results;
  old.results.forEach((result, index) => {
    const { status, revision, conflictNoteId } = again[index] ?? {};
    if (
      again[index]?.replayed !== true ||
      status !== result.status ||
      revision !== result.revision ||
      conflictNoteId !== result.conflictNoteId
    ) {
      history.violate(
        'replays answer the same',
        `${who}: ${JSON.stringify(result)} became ${JSON.stringify(again[index])}`,
      );
    }
  });
};

/** Pulls once from somewhere on the way here. */
export const pullFromOldCursor = async (client: ClientState): Promise<void> => {
  const { who, company, cursors, history, random } = client;
  const old = cursors.length > 0 ? random.pick(cursors) : null;
  const body = { cursor: old, limit: 5 };
  const answer = await call(company, { method: 'POST', path: '/api/sync', body });
  if (!isAway(answer) && ![200, 410].includes(answer.status)) {
    history.violate('an old cursor pulls or is refused with 410', `${who}: ${answer.status}`);
  }
  history.count('old cursors');
};
