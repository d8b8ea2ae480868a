import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  listMembershipsContract,
  verifyConnectionContract,
  verifyKeyContract,
  verifyRunContract,
  verifySessionContract,
  type GrantedMembership,
  type Membership,
  type Scope,
} from '@commonplace/contracts';
import { buildApp, createLog, defineRoute, reply, type Route } from '@commonplace/http';
import { testIdentity } from '@commonplace/testkit';
import type { z } from 'zod';
import { echoAs } from './echo.ts';

type KeyResult = NonNullable<z.infer<(typeof verifyKeyContract.responses)[200]['schema']>['key']>;
type RunResult = NonNullable<z.infer<(typeof verifyRunContract.responses)[200]['schema']>['run']>;
type ConnectionResult = NonNullable<
  z.infer<(typeof verifyConnectionContract.responses)[200]['schema']>['connection']
>;
export type SessionResult = NonNullable<
  z.infer<(typeof verifySessionContract.responses)[200]['schema']>['session']
>;

/** What the services know. Tests change it while the services run. */
export type ServiceData = {
  /** By digest. */
  readonly keys: Map<string, KeyResult>;
  /** By digest of the access token. */
  readonly connections: Map<string, ConnectionResult>;
  readonly runs: Map<string, RunResult>;
  /** The scopes of keys and runs that have fewer than all, by id. */
  readonly scopes: Map<string, Scope[]>;
  /** By digest of the session id. */
  readonly sessions: Map<string, SessionResult>;
  /** By operator. */
  readonly memberships: Map<string, (Membership | GrantedMembership)[]>;
  /** The operation of every lookup received. */
  readonly lookups: string[];
  /** The digests of the keys that were looked up. A hedged lookup is one key. */
  readonly keysLookedUp: Set<string>;
  /** The target of every forwarded request. */
  readonly forwardedTargets: string[];
  /** Whether the last session lookup extended the session. */
  lastTouch: boolean | null;
  isReady: boolean;
};

export type FakeService = {
  readonly url: string;
  readonly server: Server;
  readonly stop: () => Promise<void>;
};

export const emptyServiceData = (): ServiceData => ({
  keys: new Map(),
  connections: new Map(),
  runs: new Map(),
  scopes: new Map(),
  sessions: new Map(),
  memberships: new Map(),
  lookups: [],
  keysLookedUp: new Set(),
  forwardedTargets: [],
  lastTouch: null,
  isReady: true,
});

/** Starts services that implement the internal contracts for verified identities and echo all else. */
export const startFakeServices = async (data: ServiceData) => ({
  auth: await startService('auth', authRoutes(data), data),
  agents: await startService('agents', agentsRoutes(data), data),
  notes: await startService('notes', [], data),
});

const authRoutes = (data: ServiceData): Route[] => [
  defineRoute(verifySessionContract, async ({ body }) => {
    data.lookups.push('verifySession');
    data.lastTouch = body.touch;
    return reply(200, { session: data.sessions.get(body.sessionDigest) ?? null });
  }),
];

const agentsRoutes = (data: ServiceData): Route[] => [
  defineRoute(verifyKeyContract, async ({ body }) => {
    data.lookups.push('verifyKey');
    data.keysLookedUp.add(body.digests.join());
    const found = body.digests.map((digest) => data.keys.get(digest)).find(Boolean);
    const scopes = found && data.scopes.get(found.keyId);
    return reply(
      200,
      scopes ? { key: null, scopedKey: { ...found, scopes } } : { key: found ?? null },
    );
  }),
  defineRoute(verifyConnectionContract, async ({ body }) => {
    data.lookups.push('verifyConnection');
    const found = body.digests.map((digest) => data.connections.get(digest)).find(Boolean);
    return reply(200, { connection: found ?? null });
  }),
  defineRoute(verifyRunContract, async ({ body }) => {
    data.lookups.push('verifyRun');
    const found = data.runs.get(body.runId);
    const scopes = data.scopes.get(body.runId);
    return reply(
      200,
      found && scopes ? { run: null, scopedRun: { ...found, scopes } } : { run: found ?? null },
    );
  }),
  defineRoute(listMembershipsContract, async ({ body }) => {
    data.lookups.push('listMemberships');
    const all = (data.memberships.get(body.operatorId) ?? []).filter(
      ({ companyId }) => body.companyId === undefined || companyId === body.companyId,
    );
    const shown = all.slice(0, body.limit);
    return reply(200, {
      memberships: shown.filter((each) => !('grants' in each)),
      grantedMemberships: shown.filter((each) => 'grants' in each),
      isComplete: shown.length === all.length,
    });
  }),
];

const startService = async (
  name: string,
  routes: Route[],
  data: ServiceData,
): Promise<FakeService> => {
  const app = buildApp({
    routes,
    verifyIdentity: testIdentity.verifyIdentity,
    log: createLog(name, 'silent'),
    isReady: async () => {
      if (!data.isReady) {
        throw Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });
      }
    },
  });
  const echo = echoAs(name);
  const listener: RequestListener = (req, res) => {
    if (req.url?.startsWith('/internal/') || req.url === '/readyz') {
      app(req, res);
    } else {
      data.forwardedTargets.push(req.url ?? '');
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
