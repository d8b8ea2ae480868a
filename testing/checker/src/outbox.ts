import { randomUUID } from 'node:crypto';
import { currentHotIds, type ClientState, type Request } from './client-state.ts';

/** Drafts an insertion of a token into a note, or its deletion. Sends nothing. */
export const edit = (client: ClientState): void => {
  const { replica, drafts, history, random, request, expectations } = client;
  const id = pickNote(client);
  if (request?.changes.some((change) => change.id === id)) {
    return;
  }
  const before = drafts.get(id);
  const server = replica.notes.get(id);
  const base = before ? before.base : (server?.revision ?? null);
  if (client.mix === 'all' && random.chance(0.15) && server) {
    drafts.set(id, { content: null, base, tokens: [] });
    return;
  }
  const token = expectations.newToken();
  const lines = (before?.content ?? server?.content ?? client.initialTexts.get(id) ?? '')
    .split('\n')
    .filter(Boolean);
  lines.splice(random.below(lines.length + 1), 0, token);
  const tokens = [...(before?.tokens ?? []), token];
  drafts.set(id, { content: `${lines.join('\n')}\n`, base, tokens });
  history.count('edits');
};

/** Usually picks a hot note, rarely one with an expensive text. */
const pickNote = (client: ClientState): string => {
  const { initialTexts, replica, random, mix } = client;
  const hotIds = currentHotIds(client);
  if (mix === 'edits') {
    return random.pick(hotIds);
  }
  const hard = [...initialTexts.keys()];
  if (hard.length > 0 && random.chance(0.04)) {
    return random.pick(hard);
  }
  const known = [...replica.notes.keys()];
  return random.chance(0.6)
    ? random.pick(hotIds)
    : known.length > 0 && random.chance(0.8)
      ? random.pick(known)
      : randomUUID();
};

/** Moves some drafts into a request, which is retried unchanged until the server responds. */
export const buildRequest = ({ drafts, random, expectations }: ClientState): Request => {
  const chosen = [...drafts].slice(0, 1 + random.below(20));
  chosen.forEach(([id]) => drafts.delete(id));
  return {
    tokens: new Map(chosen.map(([id, { tokens }]) => [id, tokens])),
    changes: chosen.map(([id, { content, base }]) => {
      const mutationId = randomUUID();
      if (content === null) {
        expectations.expectDeletion(id, base);
        return { mutationId, id, op: 'delete', baseRevision: base };
      }
      return { mutationId, id, op: 'put', baseRevision: base, note: { title: id, content } };
    }),
  };
};
