import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@commonplace/embedded-postgres';
import {
  secretNames,
  startSystem,
  type RunningSystem,
  type SystemOptions,
} from '@commonplace/standalone';
import pg from 'pg';
import { createApi } from '../call-api.ts';
import { findMetricsPorts } from '../metrics.ts';
import { makeCompanyKey, type CompanyKey } from '../world.ts';
import { fillCompany } from './fill-company.ts';
import { verifyUpgrade } from './verify-upgrade.ts';
import { watchBackfill, type Progress } from './watch-backfill.ts';
import type { Waits } from './patient-client.ts';
import { writeContinuously, type Writers } from './write-continuously.ts';

type UpgradeOptions = {
  /** Where the services of the previous release are. */
  readonly previousServices: string;
  /** The notes of the company before the upgrade. */
  readonly notes: number;
  readonly writers: number;
  /** Time before the migration and after the backfill. */
  readonly quietSeconds: number;
  readonly pollMs: number;
  readonly backfillSecondsMax: number;
  readonly fsync: boolean;
  readonly log: (line: string) => void;
  /** Ends it early, with what it has started. */
  readonly signal?: AbortSignal;
};

export type Upgrade = {
  /** The waits of all writes, by the phase in which they began. */
  readonly waits: Waits;
  readonly migrationSeconds: number;
  readonly progress: readonly Progress[];
  /** The notes whose content was acknowledged. */
  readonly acknowledged: number;
  /** What is lost or wrong. */
  readonly problems: readonly string[];
};

/**
 * Upgrades a system with a filled company while clients write: the new release migrates the database and starts
 * beside the previous one, clients move over, and the previous one stops.
 */
export const runUpgrade = async (options: UpgradeOptions): Promise<Upgrade> => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-upgrade-'));
  const stops = [() => rm(folder, { recursive: true, force: true })];
  try {
    const postgres = await startPostgres({
      dataDir: join(folder, 'database'),
      fsync: options.fsync,
      settings: { max_wal_size: '4GB', shared_buffers: '512MB' },
    });
    stops.push(() => postgres.stop());
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    stops.push(() => client.end());
    const place = { options, folder, client, databaseUrl: postgres.url, stops };
    return await Promise.race([upgrade(place), rejectOnAbort(options.signal)]);
  } finally {
    for (const stop of stops.toReversed()) {
      await stop();
    }
  }
};

/** Rejects when the signal is aborted. */
const rejectOnAbort = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('Stopped.')));
  });

type Place = {
  readonly options: UpgradeOptions;
  readonly folder: string;
  readonly client: pg.Client;
  readonly databaseUrl: string;
  /** What to do at the end, the last one first. */
  readonly stops: (() => Promise<void>)[];
};

const upgrade = async (place: Place): Promise<Upgrade> => {
  const { options, client } = place;
  const { notes, quietSeconds } = options;
  const start = starterOf(place);
  const previous = await start({ servicesDir: options.previousServices });
  const company = await fill(place, previous.baseUrl);
  const now = { phase: 'before', baseUrl: previous.baseUrl };
  const writers = await startWriters(place, company, now);
  await sleep(quietSeconds * 1_000);
  const metricsPort = await findMetricsPorts();
  const { system, migrationSeconds } = await migrate(start, metricsPort, (phase) => {
    now.phase = phase;
  });
  Object.assign(now, { phase: 'move to the new release', baseUrl: system.baseUrl });
  await previous.stop();
  now.phase = 'backfill';
  const watch = {
    baseUrl: system.baseUrl,
    key: company.key,
    metricsPort,
    pollMs: options.pollMs,
    secondsMax: options.backfillSecondsMax,
    onProgress: (each: Progress) => options.log(JSON.stringify(each)),
  };
  const progress = await watchBackfill(watch);
  now.phase = 'after';
  await sleep(quietSeconds * 1_000);
  await writers.stop();
  // The last writes are indexed by the requests that this sends.
  await watchBackfill(watch);
  const { acknowledged, created, failures, waits } = writers;
  const problems = await verifyUpgrade(client, {
    companyId: company.companyId,
    notes: notes + created(),
    links: notes,
    contents: acknowledged,
  });
  return {
    waits,
    migrationSeconds,
    progress,
    acknowledged: acknowledged.size,
    problems: [...failures, ...problems],
  };
};

type Start = (more: Partial<SystemOptions>) => Promise<RunningSystem>;

/** Starts systems with the same secrets on one database. */
const starterOf = ({ folder, databaseUrl, stops }: Place): Start => {
  const secrets = Object.fromEntries(
    secretNames.map((name) => [name, randomBytes(32).toString('base64url')]),
  );
  return async ({ env, ...more }) => {
    const system = await startSystem({
      dataDir: await mkdtemp(join(folder, 'system-')),
      databaseUrl,
      output: () => undefined,
      env: { ...secrets, LOG_LEVEL: 'error', RATE_LIMIT_PER_SECOND: '0', ...env },
      ...more,
    });
    stops.push(() => system.stop());
    return system;
  };
};

const fill = async ({ options, client }: Place, baseUrl: string): Promise<CompanyKey> => {
  const { notes, log } = options;
  const company = await makeCompanyKey(createApi({ baseUrl }), 'Upgraded');
  await fillCompany(client, { companyId: company.companyId, notes }, (filled) =>
    log(`${filled} notes filled`),
  );
  return company;
};

/** More than the writers edit. */
const editedMax = 20_000;

const startWriters = async (
  { options, client, stops }: Place,
  { companyId, key }: CompanyKey,
  now: { readonly phase: string; readonly baseUrl: string },
): Promise<Writers> => {
  const { rows: stored } = await client.query<{ id: string; content: string }>(
    `select id, content from notes.notes where company_id = $1 and content not like 'needle%'
     order by change_no limit $2`,
    [companyId, editedMax],
  );
  const writers = writeContinuously({
    baseUrl: () => now.baseUrl,
    phase: () => now.phase,
    key,
    stored,
    writers: options.writers,
  });
  stops.push(writers.stop);
  return writers;
};

/** Starts the new release, which migrates first. */
const migrate = async (start: Start, metricsPort: number, onPhase: (phase: string) => void) => {
  let migratingAt = performance.now();
  let migrationSeconds = 0;
  const system = await start({
    env: { METRICS_PORT: String(metricsPort) },
    log: (line) => {
      if (line.startsWith('Migrating')) {
        migratingAt = performance.now();
        onPhase('migration and start');
      }
      if (line.startsWith('Applied')) {
        migrationSeconds = (performance.now() - migratingAt) / 1_000;
      }
    },
  });
  return { system, migrationSeconds };
};
