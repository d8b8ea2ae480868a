import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { noteOfUri } from './resources.ts';

/** URIs of one subscription: the SDK compares each change with all of them. */
const urisMax = 1_000;
/** URIs of one note, which is announced by each of them. */
const urisOfNoteMax = 10;

const subscription = z.object({
  params: z.object({
    notifications: z.object({ resourceSubscriptions: z.array(z.string()) }),
  }),
});

/** The distinct resources to which a request subscribes; none if it is not one: the SDK says what is wrong with it. */
export const subscribedUris = (body: unknown): ReadonlySet<string> =>
  new Set(subscription.safeParse(body).data?.params.notifications.resourceSubscriptions);

/** The distinct URIs of each note: as its id is written, and of its parts. */
export const byNote = (uris: Iterable<string>): ReadonlyMap<string | null, readonly string[]> => {
  const found = Map.groupBy(new Set(uris), noteOfUri);
  found.delete(null);
  return found;
};

/** The refusal of a request that subscribes to more than a subscription may have; null: it does not. */
export const refuseTooMany = (body: unknown, uris: ReadonlySet<string>): Response | null => {
  const excess = excessOf(uris);
  if (excess === null) {
    return null;
  }
  const message = `resourceSubscriptions has at most ${excess}`;
  const error = { code: ProtocolErrorCode.InvalidParams, message };
  return Response.json({ jsonrpc: '2.0', id: idOf(body), error });
};

const excessOf = (uris: ReadonlySet<string>): string | null => {
  if (uris.size > urisMax) {
    return `${urisMax.toLocaleString('en')} URIs; here are ${uris.size.toLocaleString('en')}`;
  }
  const crowded = [...byNote(uris)].find(([, ofNote]) => ofNote.length > urisOfNoteMax);
  return crowded ? `${urisOfNoteMax} URIs of one note; of note ${crowded[0]} there are more` : null;
};

const idOf = (body: unknown): string | number | null =>
  z.object({ id: z.union([z.string(), z.number()]) }).safeParse(body).data?.id ?? null;
