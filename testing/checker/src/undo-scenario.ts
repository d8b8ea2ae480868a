import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Undo } from '@commonplace/contracts';
import { call, isUnavailable, type ApiRequest, type Caller } from './api-call.ts';
import { createRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';

const shape = { rounds: 2, notes: 6, editsEach: 30 } as const;
const attemptsMax = 200;

/**
 * Two agents write into the same notes, one of which is undone while the other goes on. Afterwards a client that holds
 * undone text synchronises it. No line of the other may be lost, and each of the undone one is gone or in a listed note.
 */
export const undoOneWriter: Scenario = async ({ company, history }) => {
  const random = createRandom(Math.floor(Math.random() * 2 ** 31));
  for (let round = 0; round < shape.rounds && history.violations().length === 0; round += 1) {
    const source = await makeSource(company);
    const ids = Array.from({ length: shape.notes }, () => randomUUID());
    const lines = { other: new Set<string>(), source: new Set<string>() };
    // The last one is the source's alone, so that the undo removes it.
    const all = [...ids, randomUUID()];
    for (const [index, id] of all.entries()) {
      const isOfSource = index % 3 === 2 || index === ids.length;
      const line = newLine(isOfSource ? lines.source : lines.other);
      await send(isOfSource ? source : company, {
        method: 'PUT',
        path: `/api/notes/${id}`,
        body: { title: 'Undo', content: `${line}\n` },
      });
    }
    const edits = (caller: Caller, mine: Set<string>) =>
      editAtRandom(caller, { ids, random, lines: mine, known: [lines.other, lines.source] });
    await Promise.all([edits(company, lines.other), edits(source, lines.source)]);
    const held = await readAll(company, all);
    const [undone] = await Promise.all([undo(company, source), edits(company, lines.other)]);
    for (const [id, { content, revision }] of held) {
      await pushHeld(company, { id, content: `${newLine(lines.other)}\n${content}`, revision });
    }
    verify({ undone, lines, notes: await listNotes(company) }, (invariant, detail) =>
      history.violate(invariant, detail),
    );
  }
};

type Source = Caller & { readonly agentId: string };

const makeSource = async (company: Caller & { readonly companyId: string }): Promise<Source> => {
  const path = `/api/companies/${company.companyId}/agents`;
  const agent = (await asBoard(company, path, { name: 'Source', role: 'checker' })) as {
    id: string;
  };
  const keys = `/api/agents/${agent.id}/keys`;
  const key = (await asBoard(company, keys, { name: 'source' })) as { key: string };
  return { baseUrl: company.baseUrl, key: key.key, agentId: agent.id };
};

/** Sends a request as the local operator. */
const asBoard = async (
  { baseUrl, companyId }: { readonly baseUrl: string; readonly companyId: string },
  path: string,
  body?: object,
): Promise<unknown> => {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const response = await fetch(`${baseUrl}${path}`, {
      headers: { 'x-company-id': companyId, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    if (response.ok) {
      return response.json();
    }
    if (response.status !== 503) {
      throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    }
    await sleep(100);
  }
  throw new Error(`${path} stays unavailable`);
};

/** Sends a request until it gets a response. */
const send = async (caller: Caller, request: ApiRequest) => {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const response = await call(caller, request);
    if (!isUnavailable(response)) {
      return response;
    }
    await sleep(50);
  }
  throw new Error(`${request.path} stays unavailable`);
};

const newLine = (lines: Set<string>): string => {
  const line = `line-${randomUUID()}`;
  lines.add(line);
  return line;
};

type Editing = {
  readonly ids: readonly string[];
  readonly random: Random;
  /** Those that the caller writes. */
  readonly lines: Set<string>;
  readonly known: readonly ReadonlySet<string>[];
};

/** Adds lines at both ends and behind lines that are there, by whichever of the two wrote them. */
const editAtRandom = async (
  caller: Caller,
  { ids, random, lines, known }: Editing,
): Promise<void> => {
  for (let count = 0; count < shape.editsEach; count += 1) {
    const line = `line-${randomUUID()}`;
    const find = random.pick([...random.pick(known)]);
    const edit = random.pick([
      { op: 'append', text: `${line}\n` },
      { op: 'prepend', text: `${line}\n` },
      { op: 'replace', find: `${find}\n`, with: `${find}\n${line}\n` },
    ]);
    const path = `/api/notes/${random.pick(ids)}`;
    const response = await send(caller, { method: 'PATCH', path, body: { edits: [edit] } });
    if (response.status === 200) {
      lines.add(line);
    }
  }
};

type Held = { readonly content: string; readonly revision: number };

const readAll = async (caller: Caller, ids: readonly string[]): Promise<Map<string, Held>> => {
  const held = new Map<string, Held>();
  for (const id of ids) {
    const { body } = await send(caller, { method: 'GET', path: `/api/notes/${id}` });
    held.set(id, body as Held);
  }
  return held;
};

const undo = async (
  company: Caller & { readonly companyId: string },
  { agentId }: Source,
): Promise<Undo> => {
  const body = { agentId, since: new Date(Date.now() - 600_000).toISOString() };
  const { id } = (await asBoard(company, '/api/notes/undo', body)) as { id: string };
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const read = (await asBoard(company, `/api/notes/undo/${id}?limit=200`)) as Undo;
    if (read.finishedAt !== null) {
      return read;
    }
    await sleep(100);
  }
  throw new Error('The undo does not end');
};

const pushHeld = async (
  caller: Caller,
  { id, content, revision }: Held & { readonly id: string },
): Promise<void> => {
  const note = { title: 'Undo', content };
  const change = { mutationId: randomUUID(), id, op: 'put', baseRevision: revision, note };
  const body = { clientId: 'undo', limit: 1, changes: [change] };
  await send(caller, { method: 'POST', path: '/api/sync', body });
};

type Note = { readonly id: string; readonly conflictOf: string | null; readonly content: string };

const listNotes = async (caller: Caller): Promise<readonly Note[]> => {
  const { body } = await send(caller, { method: 'POST', path: '/api/sync', body: { limit: 1000 } });
  return (body as { changes: Note[] }).changes;
};

type Verified = {
  readonly undone: Undo;
  readonly lines: { readonly other: ReadonlySet<string>; readonly source: ReadonlySet<string> };
  readonly notes: readonly Note[];
};

const verify = (
  { undone, lines, notes }: Verified,
  violate: (invariant: string, detail: string) => void,
): void => {
  const everywhere = new Set(notes.flatMap(({ content }) => content.split('\n')));
  for (const line of lines.other) {
    if (!everywhere.has(line)) {
      violate('an undo loses no line of others', `${line} of undo ${undone.id}`);
    }
  }
  const staying = new Set(
    undone.notes
      .filter(({ outcome }) => ['partly', 'kept', 'restored'].includes(outcome))
      .map(({ noteId }): string => noteId),
  );
  for (const { id, content } of notes.filter(({ conflictOf }) => conflictOf === null)) {
    const line = content.split('\n').find((each) => lines.source.has(each));
    if (line !== undefined && !staying.has(id)) {
      violate('what is undone is gone or listed', `${line} in ${id} after undo ${undone.id}`);
    }
  }
};
