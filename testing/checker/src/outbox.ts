import { randomUUID } from 'node:crypto';
import type { ClientState, Request } from './client-state.ts';

/** Inserts a new word into some note, or decides to delete it. Nothing is sent. */
export const edit = (client: ClientState): void => {
  const { copy, drafts, history, random, request, tracker } = client;
  const id = pickNote(client);
  if (request?.changes.some((change) => change.id === id)) {
    return;
  }
  const before = drafts.get(id);
  const server = copy.notes.get(id);
  const base = before ? before.base : (server?.revision ?? null);
  if (random.chance(0.15) && server) {
    drafts.set(id, { content: null, base, tokens: [] });
    return;
  }
  const token = tracker.newToken();
  const lines = (before?.content ?? server?.content ?? client.beginnings.get(id) ?? '')
    .split('\n')
    .filter(Boolean);
  lines.splice(random.below(lines.length + 1), 0, token);
  const tokens = [...(before?.tokens ?? []), token];
  drafts.set(id, { content: `${lines.join('\n')}\n`, base, tokens });
  history.count('edits');
};

/** Mostly a note that everybody writes to; seldom one whose text is hard on the server. */
const pickNote = ({ beginnings, copy, hotIds, random }: ClientState): string => {
  const hard = [...beginnings.keys()];
  if (hard.length > 0 && random.chance(0.04)) {
    return random.pick(hard);
  }
  const known = [...copy.notes.keys()];
  return random.chance(0.6)
    ? random.pick(hotIds)
    : known.length > 0 && random.chance(0.8)
      ? random.pick(known)
      : randomUUID();
};

/** Turns some drafts into a request that stays as it is until it is answered. */
export const launch = ({ drafts, random, tracker }: ClientState): Request => {
  const chosen = [...drafts].slice(0, 1 + random.below(20));
  chosen.forEach(([id]) => drafts.delete(id));
  return {
    tokens: new Map(chosen.map(([id, { tokens }]) => [id, tokens])),
    changes: chosen.map(([id, { content, base }]) => {
      const mutationId = randomUUID();
      if (content === null) {
        tracker.askToDelete(id, base);
        return { mutationId, id, op: 'delete', baseRevision: base };
      }
      return { mutationId, id, op: 'put', baseRevision: base, note: { title: id, content } };
    }),
  };
};
