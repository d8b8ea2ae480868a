import { randomUUID } from 'node:crypto';
import type { ApiResponse } from '../call-api.ts';
import type { CountedAgent } from './counted-agent.ts';

/** What two agents found out, and what they must find at the end. */
export type SharedWork = {
  readonly logIds: readonly string[];
  readonly planIds: readonly string[];
  /** Lines that were appended to the log, and the log at the end. */
  readonly appended: readonly string[];
  readonly log: string;
  /** Titles found by a word, in the singular and in the plural. */
  readonly singular: readonly string[];
  readonly plural: readonly string[];
  /** Ids of notes found by a phrase deep in a long note, and the text around it. */
  readonly phrase: {
    readonly longId: string;
    readonly foundIds: readonly string[];
    readonly text: string;
  };
  /** The text after a conflict was resolved, and the copies left. */
  readonly resolved: { readonly content: string; readonly copies: number };
  /** The authors in the activity that each agent saw without its own. */
  readonly seenAuthors: readonly (readonly string[])[];
  readonly agentIds: readonly string[];
};

type Fields = Readonly<Record<string, unknown>>;
type Item = { readonly id: string; readonly title: string; readonly excerpt?: string };

const fieldsOf = ({ body }: ApiResponse): Fields => body as Fields;
const itemsOf = ({ body }: ApiResponse): readonly Item[] =>
  (body as { readonly items: readonly Item[] }).items;
const minimal = { prefer: 'return=minimal' };

const rounds = 10;
const appendsPerRound = 8;
const findingsEach = 40;
const phrase = 'the heron waits at dawn';

/**
 * The work of two agents in one company: they keep a log and a plan together, collect findings, look for what the
 * other one wrote, and settle a conflict. About 200 requests each.
 */
export const shareCompany = async (
  agents: readonly [CountedAgent, CountedAgent],
): Promise<SharedWork> => {
  const [ada, ben] = agents;
  const both = <Result>(work: (agent: CountedAgent) => Promise<Result>): Promise<Result[]> =>
    Promise.all(agents.map(work));

  const agentIds = await both(orient);
  const logIds = await both((agent) => open(agent, 'Log', '# Log\n'));
  const planIds = await both((agent) => open(agent, 'Plan', '# Plan\n## Goals\n## Risks\n'));
  const [logId = '', planId = ''] = [logIds[0], planIds[0]];
  await both(pushFindings);
  const lines = await both((agent) => keepLog(agent, { logId, planId }));
  const seen = await both((agent) => catchUp(agent, logId));
  const [singular, plural] = [await search(ada, 'kettle'), await search(ben, 'kettles')];
  const found = await findPhrase(ada, ben);
  const resolved = await settleConflict(ada, ben);
  await both((agent) => readOn(agent, logId));
  const log = fieldsOf(
    await ben.request('read a note', { method: 'GET', path: `/api/notes/${logId}` }),
  );
  return {
    agentIds,
    logIds,
    planIds,
    appended: lines.flat(),
    log: String(log['content']),
    singular,
    plural,
    phrase: found,
    resolved,
    seenAuthors: seen,
  };
};

/** Who am I, who else is here, and what should I know? Returns the agent's id. */
const orient = async (agent: CountedAgent): Promise<string> => {
  const me = await agent.request('who am I', { method: 'GET', path: '/api/agents/me' });
  await agent.request('directory', { method: 'GET', path: '/api/agents/directory' });
  await agent.request('context', {
    method: 'POST',
    path: '/api/context',
    body: { query: 'kettle', maxBytes: 8 * 1024 },
    headers: { accept: 'text/markdown' },
  });
  return String(fieldsOf(me)['id']);
};

/** Gets the note of a title, or creates it; both agents do so at once. */
const open = async (agent: CountedAgent, title: string, content: string): Promise<string> => {
  const body = { title, folder: 'project', content, ifTitleExists: 'return' };
  const call = { method: 'POST', path: '/api/notes', body, headers: minimal };
  const response = await agent.request('open by title', { ...call, statuses: [200, 201] });
  return String(fieldsOf(response)['id']);
};

/** Pushes findings without pulling anything. */
const pushFindings = async (agent: CountedAgent): Promise<void> => {
  const finding = (number: number) => ({
    mutationId: randomUUID(),
    id: randomUUID(),
    op: 'put',
    baseRevision: null,
    note: {
      title: `Finding ${number} of ${agent.name}`,
      folder: 'findings',
      tags: [number % 2 === 0 ? 'even' : 'odd'],
      content: `${number % 20 === 0 ? 'A kettle whistles. ' : ''}${'What was found is written down here. '.repeat(40)}`,
    },
  });
  for (let first = 0; first < findingsEach; first += 10) {
    const changes = Array.from({ length: 10 }, (_, index) => finding(first + index));
    const body = { clientId: agent.name, pull: 'none', changes };
    await agent.request('push', { method: 'POST', path: '/api/sync', body });
  }
};

type Notes = { readonly logId: string; readonly planId: string };

/** Appends to the log and edits the plan while the other agent does so too; some requests are repeated. */
const keepLog = async (agent: CountedAgent, { logId, planId }: Notes): Promise<string[]> => {
  const lines: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < appendsPerRound; count += 1) {
      const line = `- ${agent.name} did step ${round}.${count} of the work\n`;
      const edit = {
        method: 'PATCH',
        path: `/api/notes/${logId}`,
        body: { edits: [{ op: 'append', text: line }], mutationId: randomUUID() },
        headers: minimal,
      };
      await agent.request('append', edit);
      if (count === 0) {
        await agent.request('append again', edit);
      }
      lines.push(line);
    }
    await agent.request('edit at a heading', {
      method: 'PATCH',
      path: `/api/notes/${planId}`,
      body: {
        edits: [
          { op: 'insert_after', heading: 'Plan/Risks', text: `- ${agent.name}: risk ${round}` },
        ],
      },
      headers: minimal,
    });
    await agent.request('activity of others', {
      method: 'GET',
      path: '/api/notes/activity?excludeSelf=true&limit=10',
    });
    await lookAtLog(agent, logId);
  }
  return lines;
};

/** The lines that came since a revision, instead of the whole note. */
const lookAtLog = async (agent: CountedAgent, logId: string): Promise<void> => {
  const now = await agent.request('what changed', {
    method: 'GET',
    path: `/api/notes/${logId}?from=0&maxBytes=1`,
  });
  const revision = Number(fieldsOf(now)['revision']);
  const from = Math.max(1, revision - 2 * appendsPerRound);
  await agent.request('diff', {
    method: 'GET',
    path: `/api/notes/${logId}/diff?from=${from}&to=${revision}&context=0`,
  });
};

/** Who wrote what since? Returns the ids of the authors. */
const catchUp = async (agent: CountedAgent, logId: string): Promise<string[]> => {
  const activity = await agent.request('activity of others', {
    method: 'GET',
    path: '/api/notes/activity?excludeSelf=true&limit=20',
  });
  await agent.request('blame', {
    method: 'GET',
    path: `/api/notes/${logId}/blame?fromLine=1&toLine=30`,
  });
  const { items } = activity.body as { items: readonly { author: { id: string } }[] };
  return [...new Set(items.map(({ author }) => author.id))];
};

const search = async (agent: CountedAgent, word: string): Promise<string[]> => {
  const path = `/api/notes?q=${encodeURIComponent(word)}&limit=5`;
  const found = itemsOf(await agent.request('search', { method: 'GET', path }));
  return found.map(({ title }) => title).toSorted();
};

/** One agent writes a long note; the other one finds a phrase at its end and reads only that part. */
const findPhrase = async (
  writer: CountedAgent,
  reader: CountedAgent,
): Promise<SharedWork['phrase']> => {
  const words = Array.from({ length: 30_000 }, (_, index) => `word${index % 5_000}`).join(' ');
  const written = await writer.request('create', {
    method: 'POST',
    path: '/api/notes',
    body: { title: 'Long report', folder: 'reports', content: `${words} ${phrase}.\n` },
    headers: minimal,
    statuses: [201],
  });
  const longId = String(fieldsOf(written)['id']);
  const query = encodeURIComponent(`"${phrase}"`);
  const found = itemsOf(
    await reader.request('search', { method: 'GET', path: `/api/notes?q=${query}&limit=5` }),
  );
  const end = await reader.request('read a part', {
    method: 'GET',
    path: `/api/notes/${longId}?from=${words.length - 200}&maxBytes=400`,
  });
  const text = String(fieldsOf(end)['content']);
  return { longId, foundIds: found.map(({ id }) => id), text };
};

/** Both change the same line of the same version; one request resolves the conflict and removes the copy. */
const settleConflict = async (
  ada: CountedAgent,
  ben: CountedAgent,
): Promise<SharedWork['resolved']> => {
  const id = randomUUID();
  const push = async (agent: CountedAgent, baseRevision: number | null, content: string) => {
    const note = { title: 'Decision', folder: 'project', content };
    const change = { mutationId: randomUUID(), id, op: 'put', baseRevision, note };
    const body = { clientId: agent.name, pull: 'none', changes: [change] };
    const response = await agent.request('push', { method: 'POST', path: '/api/sync', body });
    const { results } = response.body as { results: readonly { conflictNoteId?: string }[] };
    return results[0]?.conflictNoteId;
  };
  await push(ada, null, 'We decide later.\n');
  await push(ada, 1, 'We take the red one.\n');
  await push(ben, 1, 'We take the blue one.\n');
  const path = `/api/notes/${id}/conflicts`;
  const [copy] = itemsOf(await ben.request('conflicts', { method: 'GET', path }));
  await ben.request('resolve', {
    method: 'POST',
    path: `${path}/${copy?.id ?? randomUUID()}/resolve`,
    body: { keep: 'both' },
    headers: minimal,
  });
  const left = itemsOf(await ada.request('conflicts', { method: 'GET', path }));
  const note = await ada.request('read a note', { method: 'GET', path: `/api/notes/${id}` });
  return { content: String(fieldsOf(note)['content']), copies: left.length };
};

/** Reads several notes within a limit, one by its path, and what is new since the last context. */
const readOn = async (agent: CountedAgent, logId: string): Promise<void> => {
  const first = await agent.request('context', {
    method: 'POST',
    path: '/api/context',
    body: { query: 'kettle', maxBytes: 8 * 1024 },
  });
  const { cursor } = fieldsOf(first);
  await agent.request('context', {
    method: 'POST',
    path: '/api/context',
    body: { since: cursor, maxBytes: 8 * 1024 },
  });
  for (let page = 0; page < 10; page += 1) {
    const word = page % 2 === 0 ? 'kettle' : 'whistling';
    const found = itemsOf(
      await agent.request('search', { method: 'GET', path: `/api/notes?q=${word}&limit=5` }),
    );
    await agent.request('read several', {
      method: 'POST',
      path: '/api/notes/read',
      body: { ids: found.slice(0, 3).map(({ id }) => id), maxBytes: 2 * 1024 },
    });
  }
  await agent.request('read by path', {
    method: 'GET',
    path: '/api/notes/by-path?folder=project&title=decision',
  });
  await agent.request('links', { method: 'GET', path: `/api/notes/${logId}/links` });
  await agent.request('folders', { method: 'GET', path: '/api/notes/folders' });
};
