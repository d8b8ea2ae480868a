import { call, isUnavailable, syncResultOf } from './api-call.ts';
import type { ClientState } from './client-state.ts';

/** Replays an old request: it must return the same results and change nothing. */
export const replay = async (client: ClientState): Promise<void> => {
  const { actor, company, history, random, sent } = client;
  const old = sent.length > 0 ? random.pick(sent) : null;
  const body = old && { ...old.body, cursor: null, limit: 1 };
  const response = body && (await call(company, { method: 'POST', path: '/api/sync', body }));
  if (!old || !response || response.status !== 200) {
    return;
  }
  history.count('replays');
  const again = syncResultOf(response).results;
  old.results.forEach((result, index) => {
    const { status, revision, conflictNoteId } = again[index] ?? {};
    if (
      again[index]?.replayed !== true ||
      status !== result.status ||
      revision !== result.revision ||
      conflictNoteId !== result.conflictNoteId
    ) {
      history.violate(
        'replays return the same results',
        `${actor}: ${JSON.stringify(result)} became ${JSON.stringify(again[index])}`,
      );
    }
  });
};

/** Pulls one page from an old cursor. */
export const pullFromOldCursor = async (client: ClientState): Promise<void> => {
  const { actor, company, cursors, history, random } = client;
  const old = cursors.length > 0 ? random.pick(cursors) : null;
  const body = { cursor: old, limit: 5 };
  const response = await call(company, { method: 'POST', path: '/api/sync', body });
  if (!isUnavailable(response) && ![200, 410].includes(response.status)) {
    history.violate('an old cursor gets 200 or 410', `${actor}: ${response.status}`);
  }
  history.count('old cursors');
};
