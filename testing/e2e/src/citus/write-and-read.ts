import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlacedCompany } from './companies-by-node.ts';

/** One request of a client, and its response. */
export type Exchange = {
  readonly company: PlacedCompany;
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  /** Null means the connection failed. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly text: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
};

/** Clients that write and read until they are stopped. */
export type Clients = {
  readonly exchanges: readonly Exchange[];
  /** Contents by note, as acknowledged. */
  readonly acknowledged: ReadonlyMap<string, Acknowledged>;
  readonly stop: () => Promise<void>;
  /** What is missing or wrong now: read one by one, and in the feed of each company. */
  readonly verify: () => Promise<string[]>;
  /** The notes of all companies by id. Fails if the number of a company is not the one its feed counts. */
  readonly listContents: () => Promise<ReadonlyMap<string, string>>;
};

type Acknowledged = { readonly company: PlacedCompany; readonly content: string };

type State = {
  readonly send: Send;
  readonly exchanges: Exchange[];
  readonly acknowledged: Map<string, Acknowledged>;
};

const pauseMs = 20;

/**
 * Starts a client for each company. It creates a note, reads it, edits it, and begins again. The system may move to
 * another address.
 */
export const writeAndRead = (
  baseUrl: () => string,
  companies: readonly PlacedCompany[],
): Clients => {
  const stopping = new AbortController();
  const state: State = { send: sender(baseUrl), exchanges: [], acknowledged: new Map() };
  const working = Promise.all(companies.map((company) => work(state, company, stopping.signal)));
  return {
    exchanges: state.exchanges,
    acknowledged: state.acknowledged,
    stop: async () => {
      stopping.abort();
      await working;
    },
    verify: async () =>
      (await Promise.all(companies.map((company) => verifyCompany(state, company)))).flat(),
    listContents: async () => {
      const all = await Promise.all(companies.map((company) => pullAll(state.send, company)));
      return new Map(all.flatMap((contents) => [...contents]));
    },
  };
};

type Send = (
  company: PlacedCompany,
  request: { readonly method: Exchange['method']; readonly path: string; readonly body?: object },
) => Promise<Exchange>;

const sender =
  (baseUrl: () => string): Send =>
  async (company, { method, path, body }) => {
    const startedAtMs = performance.now();
    const response = await fetch(baseUrl() + path, {
      method,
      headers: { authorization: `Bearer ${company.key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => null);
    const text = (await response?.text().catch(() => '')) ?? '';
    return {
      company,
      method,
      path,
      status: response?.status ?? null,
      retryAfter: response?.headers.get('retry-after') ?? null,
      text,
      startedAtMs,
      endedAtMs: performance.now(),
    };
  };

const work = async (state: State, company: PlacedCompany, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const path = `/api/notes/${randomUUID()}`;
    if (await put(state, company, path)) {
      state.exchanges.push(await state.send(company, { method: 'GET', path }));
      await put(state, company, path);
    }
    await sleep(pauseMs);
  }
};

/** Writes a new content; returns whether it was acknowledged. */
const put = async (state: State, company: PlacedCompany, path: string): Promise<boolean> => {
  const id = path.slice('/api/notes/'.length);
  const content = `Written ${randomUUID()}`;
  const body = { title: 'Written', content };
  const exchange = await state.send(company, { method: 'PUT', path, body });
  state.exchanges.push(exchange);
  const isAcknowledged = exchange.status === 200 || exchange.status === 201;
  if (isAcknowledged) {
    state.acknowledged.set(id, { company, content });
  } else {
    // It may have been committed, so nothing is known of this note any more.
    state.acknowledged.delete(id);
  }
  return isAcknowledged;
};

const verifyCompany = async (
  { send, acknowledged }: State,
  company: PlacedCompany,
): Promise<string[]> => {
  const inFeed = await pullAll(send, company);
  const own = [...acknowledged].filter(([, one]) => one.company === company);
  const problems = own
    .filter(([id, { content }]) => inFeed.get(id) !== content)
    .map(([id]) => `not in the feed as acknowledged: ${id}: ${inFeed.get(id)}`);
  for (const [id, { content }] of own) {
    const { status, text } = await send(company, { method: 'GET', path: `/api/notes/${id}` });
    if (status !== 200 || (JSON.parse(text) as { content: string }).content !== content) {
      problems.push(`not as acknowledged: ${id}: ${status} ${text}`);
    }
  }
  return problems;
};

type Page = {
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly integrity?: { readonly count: number };
  readonly changes: readonly { readonly id: string; readonly content: string }[];
};

/** The contents of all notes of a company, by id, as a new client gets them. */
const pullAll = async (
  send: Send,
  company: PlacedCompany,
): Promise<ReadonlyMap<string, string>> => {
  const contents = new Map<string, string>();
  let cursor: string | null = null;
  for (;;) {
    const body: object = { cursor, limit: 500 };
    const { status, text } = await send(company, { method: 'POST', path: '/api/sync', body });
    if (status !== 200) {
      throw new Error(`The pull returned ${status}: ${text}`);
    }
    const page = JSON.parse(text) as Page;
    page.changes.forEach(({ id, content }) => contents.set(id, content));
    ({ cursor } = page);
    if (!page.hasMore) {
      if (page.integrity?.count !== contents.size) {
        throw new Error(`The feed has ${contents.size} notes and counts ${page.integrity?.count}`);
      }
      return contents;
    }
  }
};
