import { randomUUID } from 'node:crypto';
import type { NoteEdit, NoteOrSummary } from '@commonplace/contracts';
import { callWithFault, isUnavailable, type ApiResponse, type NetworkFault } from './api-call.ts';
import { currentHotIds, type ClientState, type Patch } from './client-state.ts';
import { tokensIn } from './expectations.ts';

/** Edits a note by PATCH. A request without a response is repeated unchanged by the next call. */
export const patch = async (client: ClientState, kind: NetworkFault): Promise<void> => {
  const { actor, company, history, random } = client;
  const isFirst = client.patch === null;
  const current = (client.patch ??= buildPatch(client));
  const { id, edits, mutationId, ifMatch, isMinimal } = current;
  const request = {
    method: 'PATCH',
    path: `/api/notes/${id}`,
    body: { edits, mutationId },
    headers: {
      ...(ifMatch === null ? {} : { 'if-match': `"${ifMatch}"` }),
      ...(isMinimal ? { prefer: 'return=minimal' } : {}),
    },
  };
  const responses = await callWithFault(company, request, { kind, afterMs: random.below(60) });
  const given = responses.filter((each) => !isUnavailable(each)) as NonNullable<ApiResponse>[];
  history.count('PATCHes');
  const [response] = given;
  if (!response) {
    return;
  }
  client.patch = null;
  const done = given.filter(({ status }) => status === 200);
  if (new Set(done.map(({ revision }) => revision)).size > 1) {
    const revisions = done.map(({ revision }) => revision).join(' and ');
    history.violate('replays return the same results', `${actor}: PATCH ${id} gave ${revisions}`);
  }
  const [success] = done;
  history.record(
    actor,
    `PATCH ${id}: ${success ? `revision ${success.revision ?? '?'}` : response.status} ${current.tokens.join(' ')}`,
  );
  if (success) {
    takeSuccess(client, current, success);
  } else {
    takeRefusal(client, current, { response, isOnlyAttempt: isFirst && kind === 'none' });
  }
};

const takeSuccess = (
  { actor, history, expectations }: ClientState,
  { id, tokens, ifMatch, isMinimal }: Patch,
  { body, revision }: NonNullable<ApiResponse>,
): void => {
  history.count('PATCHes applied');
  tokens.forEach(expectations.acknowledge);
  if (ifMatch !== null && revision !== ifMatch + 1) {
    history.violate('If-Match holds', `${actor}: ${id} at ${ifMatch} became ${revision ?? '?'}`);
  }
  const { content } = body as NoteOrSummary;
  const found = tokensIn(content ?? '');
  const missing = tokens.filter((token) => !found.includes(token));
  if (!isMinimal && missing.length > 0) {
    history.violate('an edit is in the note it returns', `${actor}: ${id} ${missing.join(' ')}`);
  }
};

/** The note or the text to edit is gone, or the note is too large. */
const refusals = new Set([404, 409, 412, 413]);

const takeRefusal = (
  { actor, history, expectations }: ClientState,
  { id, tokens }: Patch,
  refusal: { readonly response: NonNullable<ApiResponse>; readonly isOnlyAttempt: boolean },
): void => {
  const { status, body } = refusal.response;
  const { code } = body as { readonly code?: string };
  history.count(`PATCHes refused with ${status}`);
  if (!refusals.has(status) || code === 'mutation_id_reused') {
    history.violate('a PATCH is applied or does not fit', `${actor}: ${id} ${status} ${code}`);
  }
  // An earlier attempt may still be in a queue.
  if (refusal.isOnlyAttempt) {
    tokens.forEach(expectations.refuse);
  }
};

/** Edits that each keep what others wrote, except for a section that is replaced. */
const buildPatch = (client: ClientState): Patch => {
  const { replica, random, expectations, appendTo } = client;
  client.appendTo = null;
  const id = appendTo ?? random.pick(currentHotIds(client));
  const { revision, content } = replica.notes.get(id) ?? { revision: null, content: '' };
  const [token, other] = [expectations.newToken(), expectations.newToken()];
  const text = `${token}\n`;
  const known = tokensIn(content);
  const headings = (content.match(/^# .*$/gm) ?? []).map((line) => line.slice(2));
  const append = (): NoteEdit => ({ op: 'append', text });
  const atHeading = (op: 'insert_after' | 'insert_before' | 'replace_section'): NoteEdit =>
    headings.length > 0 ? { op, heading: random.pick(headings), text } : append();
  const replace = (): NoteEdit => {
    const find = known.length > 0 ? random.pick(known) : other;
    return { op: 'replace', find, with: `${find}\n${token}`, count: 1 };
  };
  const kinds: readonly (readonly [upTo: number, edits: () => NoteEdit[]])[] = [
    [0.4, () => [append()]],
    [0.5, () => [{ op: 'prepend', text }]],
    [0.65, () => [replace()]],
    [0.72, () => [atHeading('insert_after')]],
    [0.79, () => [atHeading('insert_before')]],
    [0.82, () => [atHeading('replace_section')]],
    [0.89, () => [{ op: 'append', text: `# ${token}\n` }]],
    [0.94, () => [{ op: 'append', text: `${other}\n` }, replace()]],
    [1, () => [append(), { op: 'set', tags: { add: [token], remove: [] }, pinned: true }]],
  ];
  const choice = random.next();
  const edits = kinds.find(([upTo]) => choice < upTo)?.[1]() ?? [append()];
  if (edits.some(({ op }) => op === 'replace_section')) {
    expectations.recordReplacement(token);
  }
  const ifMatch = random.chance(0.1) ? revision : null;
  const tokens = [token, ...(JSON.stringify(edits).includes(`${other}\\n`) ? [other] : [])];
  return { id, edits, mutationId: randomUUID(), ifMatch, isMinimal: random.chance(0.5), tokens };
};
