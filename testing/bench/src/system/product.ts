import { execFile, spawn } from 'node:child_process';
import { openSync, readFileSync, closeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { memoryOf, readProcFile, serviceNameOf, treeOf } from './proc.ts';
import { findFreePort } from '@commonplace/embedded-postgres';

/** A running product. */
export type Product = {
  readonly url: string;
  /** Time from process start to the ready line. */
  readonly readyMs: number;
  /** Process id of the supervisor. */
  readonly pid: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly services: Services;
  /** Proportional set size of all its processes, in megabytes. */
  readonly memory: () => number;
  readonly stop: () => Promise<void>;
};

type Services = Readonly<Record<'gateway' | 'auth' | 'agents' | 'notes', ServiceProcess>>;

type ServiceProcess = { readonly pid: number; readonly url: string };

/** Products to stop and remove when the bench is interrupted. */
const running = new Set<Pick<Product, 'stop' | 'dataDir'>>();

/** Stops every running product and removes its data. */
export const endProducts = async (): Promise<void> => {
  for (const { stop, dataDir } of running) {
    await stop();
    await removeProduct(dataDir);
  }
};

const standalone = join(import.meta.dirname, '../../../../packages/standalone/src');
const supervisor = join(standalone, 'main.mjs');

/**
 * Does what an installation does after the packages are there, so that a start is that of an installed product. Sources that
 * changed since would be compiled and built by the first start.
 */
export const installProduct = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(standalone, 'postinstall.ts')]);
};

/**
 * Runs what `pnpm start` runs, on a data directory of the bench. The rate limit is off, because one
 * credential makes all requests; everything else has its default.
 */
export const startProduct = async (
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Product> => {
  const port = await findFreePort();
  const log = openSync(`${dataDir}.log`, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [supervisor], {
    env: {
      PATH: '/usr/bin:/bin',
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_SECOND: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout as Readable }).once('line', () => resolve());
  });
  await Promise.race([ready, exited]);
  if (child.exitCode !== null || child.pid === undefined) {
    throw new Error(`The product did not start: ${readFileSync(`${dataDir}.log`, 'utf8')}`);
  }
  const readyMs = performance.now() - startedAt;
  const { pid } = child;
  const product: Product = {
    url: `http://127.0.0.1:${port}`,
    readyMs,
    pid,
    dataDir,
    databaseUrl: environment['DATABASE_URL'] ?? databaseUrlOf(dataDir),
    services: servicesOf(pid),
    memory: () => memoryOf(pid, { withChildren: true }),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      running.delete(product);
    },
  };
  running.add(product);
  return product;
};

/** Removes the data of a stopped product. */
export const removeProduct = async (dataDir: string): Promise<void> => {
  await rm(dataDir, { recursive: true, force: true });
  await rm(`${dataDir}.log`, { force: true });
};

/** Process ids and URLs of the services; their ports are only in their environments. */
const servicesOf = (pid: number): Services => {
  const found = Object.fromEntries(
    treeOf(pid).flatMap((child) => {
      const name = serviceNameOf(child);
      const port = /(?:^|\0)PORT=(\d+)/.exec(readProcFile(child, 'environ'))?.[1];
      return name && port ? [[name, { pid: child, url: `http://127.0.0.1:${port}` }]] : [];
    }),
  );
  const serviceOf = (name: keyof Services): ServiceProcess => {
    const service = found[name];
    if (service === undefined) {
      throw new Error(`No process of the product is its service ${name}`);
    }
    return service;
  };
  return {
    gateway: serviceOf('gateway'),
    auth: serviceOf('auth'),
    agents: serviceOf('agents'),
    notes: serviceOf('notes'),
  };
};

const databaseUrlOf = (dataDir: string): string => {
  const folder = join(dataDir, 'postgres');
  const password = readFileSync(join(folder, 'postgres-password'), 'utf8').trim();
  const port = readFileSync(join(folder, 'pgdata', 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
};
