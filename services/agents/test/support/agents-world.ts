import type { RequestListener } from 'node:http';
import { AppError } from '@commonplace/contracts';
import { createDb } from '@commonplace/db';
import { createLog } from '@commonplace/http';
import { pepperKeys } from '@commonplace/identity';
import { createTestDatabase, testIdentity } from '@commonplace/testkit';
import pg from 'pg';
import { createApp } from '../../src/app.ts';
import { createLimits } from '../../src/create-limits.ts';
import { createReportQueue } from '../../src/commands/report-queue.ts';
import { createUsageBuffer } from '../../src/commands/usage-buffer.ts';
import type { Deps, RunTokenRequest } from '../../src/deps.ts';
import { recordConnectionUses } from '../../src/queries/connection-tokens.ts';
import { recordKeyUses } from '../../src/queries/keys.ts';

export const currentPepper = 'test-only-current-pepper-of-32-bytes-01';
export const olderPepper = 'test-only-older-pepper-of-32-bytes-0001';

export type World = {
  readonly app: RequestListener;
  readonly deps: Deps;
  /** The clock of the service; tests move it. */
  readonly clock: { now: Date };
  /** The requests to auth, whom it disabled or demoted, and whether it is unavailable. */
  readonly auth: {
    readonly issued: RunTokenRequest[];
    readonly disabled: Set<string>;
    readonly demoted: Set<string>;
    /** Operators whose sign-in is not recent. */
    readonly stale: Set<string>;
    readonly unverified: Set<string>;
    /** The access epochs of operators; the first one is 0. */
    readonly epochs: Map<string, number>;
    /** Operators whose sessions were evicted. */
    readonly evicted: Set<string>;
    isUnavailable: boolean;
  };
  /** Connects a superuser to the database. */
  readonly adminUrl: string;
  /** Runs SQL as superuser, without row-level security. */
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Runs SQL as the service's own role in the scope of a company (null: no company). */
  readonly asService: (
    companyId: string | null,
    text: string,
  ) => Promise<Record<string, unknown>[]>;
  readonly close: () => Promise<void>;
};

/** The agents service with its own database and a clock that the test controls. */
export const createWorld = async (overrides: Partial<Deps> = {}): Promise<World> => {
  const database = await createTestDatabase();
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  const service = new pg.Pool({ connectionString: database.appUrl('agents'), max: 2 });
  const clock = { now: new Date() };
  const auth = {
    issued: [] as RunTokenRequest[],
    disabled: new Set<string>(),
    demoted: new Set<string>(),
    stale: new Set<string>(),
    unverified: new Set<string>(),
    epochs: new Map<string, number>(),
    evicted: new Set<string>(),
    isUnavailable: false,
  };
  const open = () =>
    createDb({
      url: database.appUrl('agents'),
      isCitus: database.isCitus,
      onIdleError: () => undefined,
    });
  const [db, lookups] = [open(), open()];
  const deps: Deps = {
    db,
    lookups,
    ...createLimits(),
    clock: () => clock.now,
    log: createLog('agents', 'silent'),
    verifyIdentity: testIdentity.verifyIdentity,
    mode: 'authenticated',
    baseUrl: 'https://commonplace.example',
    peppers: pepperKeys([currentPepper, olderPepper]),
    runTokenTtlSeconds: 900,
    runningRunsMax: 100,
    agentsMax: 10_000,
    issueRunToken: issuer(auth, clock),
    checkOperator: async ({ operatorId: id, sessionId }) => {
      const isSession = sessionId === undefined || !auth.evicted.has(id);
      const isActive = isSession && !auth.disabled.has(id);
      return {
        isActive,
        ...(isActive && { accessEpoch: auth.epochs.get(id) ?? 0 }),
        isAdministrator: isActive && !auth.demoted.has(id),
        hasRecentSignIn: isActive && !auth.stale.has(id),
      };
    },
    operatorStates: statesOf(auth),
    keyUsage: createUsageBuffer(db, recordKeyUses),
    connectionUsage: createUsageBuffer(db, recordConnectionUses),
    bookReport: createReportQueue({ db, clock: () => clock.now }),
    ...overrides,
  };
  return {
    app: createApp(deps),
    deps,
    clock,
    auth,
    adminUrl: database.adminUrl,
    sql: async (text, values) => (await admin.query<Record<string, unknown>>(text, values)).rows,
    asService: (companyId, text) => runScoped(service, companyId, text),
    close: async () => {
      await Promise.all([db.close(), lookups.close(), admin.end(), service.end()]);
      await database.drop();
    },
  };
};

/** The auth service knows every operator; the emails of those in `unverified` are not verified. */
const statesOf = ({ disabled, unverified }: World['auth']): Deps['operatorStates'] => {
  const read: Deps['operatorStates']['read'] = async (ids) =>
    new Map(
      ids.map((id) => [id, { isEmailVerified: !unverified.has(id), canSignIn: !disabled.has(id) }]),
    );
  return { read, recall: read };
};

const issuer =
  (auth: World['auth'], clock: World['clock']): Deps['issueRunToken'] =>
  async (request) => {
    if (auth.isUnavailable) {
      throw new AppError('service_unavailable', undefined, { headers: { 'Retry-After': '1' } });
    }
    auth.issued.push(request);
    const expiresAt = new Date(clock.now.getTime() + request.ttlSeconds * 1000).toISOString();
    return { token: `token ${auth.issued.length} of run ${request.runId}`, expiresAt };
  };

const runScoped = async (pool: pg.Pool, companyId: string | null, text: string) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (companyId !== null) {
      // Citus passes on only this form to its workers.
      await client.query(`set local app.company_id = '${companyId}'`);
    }
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.query('rollback');
    client.release();
  }
};
