import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  listMembershipsContract,
  verifyKeyContract,
  verifyRunContract,
  verifySessionContract,
  type Membership,
} from '@commonplace/contracts';
import { buildApp, createLog, defineRoute, reply, type Route } from '@commonplace/http';
import { testIdentity } from '@commonplace/testkit';
import type { z } from 'zod';
import { echoAs } from './echo.ts';

type KeyAnswer = NonNullable<z.infer<(typeof verifyKeyContract.responses)[200]['schema']>['key']>;
type RunAnswer = NonNullable<z.infer<(typeof verifyRunContract.responses)[200]['schema']>['run']>;
type SessionAnswer = NonNullable<
  z.infer<(typeof verifySessionContract.responses)[200]['schema']>['session']
>;

/** What the services know, for tests to change while they run. */
export type Knowledge = {
  /** By digest. */
  readonly keys: Map<string, KeyAnswer>;
  readonly runs: Map<string, RunAnswer>;
  /** By digest of the session id. */
  readonly sessions: Map<string, SessionAnswer>;
  /** By operator. */
  readonly memberships: Map<string, Membership[]>;
  /** Every look-up that came in, by operation. */
  readonly asked: string[];
  /** The keys that were looked up, by digest; a slow question is put twice and yet is one. */
  readonly keysAsked: Set<string>;
  /** The target of every request that was passed on. */
  readonly passedOn: string[];
  /** Whether the last session look-up was to keep it alive. */
  touched: boolean | null;
  isReady: boolean;
};

export type FakeService = {
  readonly url: string;
  readonly server: Server;
  readonly stop: () => Promise<void>;
};

export const emptyKnowledge = (): Knowledge => ({
  keys: new Map(),
  runs: new Map(),
  sessions: new Map(),
  memberships: new Map(),
  asked: [],
  keysAsked: new Set(),
  passedOn: [],
  touched: null,
  isReady: true,
});

/** Services that answer the internal contracts over HTTP, to verified identities only, and echo the rest. */
export const startFakeServices = async (knowledge: Knowledge) => ({
  auth: await startService('auth', authRoutes(knowledge), knowledge),
  agents: await startService('agents', agentsRoutes(knowledge), knowledge),
  notes: await startService('notes', [], knowledge),
});

const authRoutes = (knowledge: Knowledge): Route[] => [
  defineRoute(verifySessionContract, async ({ body }) => {
    knowledge.asked.push('verifySession');
    knowledge.touched = body.touch;
    return reply(200, { session: knowledge.sessions.get(body.sessionDigest) ?? null });
  }),
];

const agentsRoutes = (knowledge: Knowledge): Route[] => [
  defineRoute(verifyKeyContract, async ({ body }) => {
    knowledge.asked.push('verifyKey');
    knowledge.keysAsked.add(body.digests.join());
    const found = body.digests.map((digest) => knowledge.keys.get(digest)).find(Boolean);
    return reply(200, { key: found ?? null });
  }),
  defineRoute(verifyRunContract, async ({ body }) => {
    knowledge.asked.push('verifyRun');
    return reply(200, { run: knowledge.runs.get(body.runId) ?? null });
  }),
  defineRoute(listMembershipsContract, async ({ body }) => {
    knowledge.asked.push('listMemberships');
    const all = (knowledge.memberships.get(body.operatorId) ?? []).filter(
      ({ companyId }) => body.companyId === undefined || companyId === body.companyId,
    );
    const memberships = all.slice(0, body.limit);
    return reply(200, { memberships, isComplete: memberships.length === all.length });
  }),
];

const startService = async (
  name: string,
  routes: Route[],
  knowledge: Knowledge,
): Promise<FakeService> => {
  const app = buildApp({
    routes,
    verifyIdentity: testIdentity.verifyIdentity,
    log: createLog(name, 'silent'),
    isReady: async () => {
      if (!knowledge.isReady) {
        throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      }
    },
  });
  const echo = echoAs(name);
  const listener: RequestListener = (req, res) => {
    if (req.url?.startsWith('/internal/') || req.url === '/readyz') {
      app(req, res);
    } else {
      knowledge.passedOn.push(req.url ?? '');
      echo(req, res).catch(() => res.destroy());
    }
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, stop };
};
