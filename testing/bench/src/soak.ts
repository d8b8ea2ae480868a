import { chmod, mkdtemp } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openConnections, openSlowReaders } from './soak/stress-clients.ts';
import {
  processNames,
  memoryByProcess,
  totalOf,
  type ProcessMemory,
} from './soak/memory-by-process.ts';
import { oneMinute, type Rate } from './soak/one-minute.ts';
import { trendTable, memoryTrendsOf } from './soak/memory-trend.ts';
import { removeDeployments, soakContainers } from './soak/soak-containers.ts';
import { makeSoakedCompanies, type SoakedCompanies } from './soak/soaked-companies.ts';
import { endProducts, removeProduct, startProduct, type Product } from './system/product.ts';
import { createEnvironment } from './system/environment.ts';
import { retryingApi } from './system/retrying-api.ts';

/**
 * `pnpm soak`: an hour of load (`--minutes N`), unlimited or at `--rate N` requests per second. Reads,
 * writes, searches, calls tools over MCP with a key and a connection, and listens for changes continuously,
 * beside clients that do not read responses and batches of 500 notes. At the end it opens many such
 * clients, then 1,900 connections. Prints the memory of every process. Fails if one rose in the second
 * half, if a stress test exceeds its memory bound, or if /readyz fails under it. With `--compose` it soaks the containers of docker-compose.yml instead, and
 * fails if one comes near to its memory limit.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string' },
    compose: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const rate: Rate = values.rate === undefined ? null : Number(values.rate);

/** Megabytes that each stress test may add. */
const costMax = { slowReaders: 300, connections: 100 } as const;

const main = async (product: Product): Promise<boolean> => {
  const { makeCompany } = await createEnvironment(product);
  const companies = await makeSoakedCompanies({
    url: product.url,
    makeCompany,
    operatorHeaders: {},
  });
  const trends = memoryTrendsOf(await soak(product, companies));
  console.log(`\n${trendTable(trends)}\n`);
  const bounds = [
    await cost(product, {
      name: '50 clients that request 40 pages of 500 notes each and read none',
      megabytesMax: costMax.slowReaders,
      open: () => slowReaders(product, companies, { clients: 50, pages: 40 }),
    }),
    await cost(product, {
      name: '1,900 more connections',
      megabytesMax: costMax.connections,
      open: () => openConnections(product.url, 1_900),
    }),
  ];
  return trends.every(({ isFlat }) => isFlat) && bounds.every(Boolean);
};

const soak = async (product: Product, companies: SoakedCompanies): Promise<ProcessMemory[]> => {
  const seen: ProcessMemory[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const slow = slowReaders(product, companies, { clients: 10, pages: 2 });
    await oneMinute(product, companies, rate);
    slow.forEach((socket) => socket.destroy());
    const memory = memoryByProcess(product.pid);
    seen.push(memory);
    const parts = processNames.map((name) => `${name} ${memory[name]}`).join(', ');
    console.log(`minute ${minute}: ${totalOf(memory)} MB (${parts})`);
  }
  return seen;
};

const slowReaders = (
  { url }: Product,
  { loud }: SoakedCompanies,
  many: { readonly clients: number; readonly pages: number },
): Socket[] => openSlowReaders({ url, key: loud.key, ...many });

type StressTest = {
  readonly name: string;
  readonly megabytesMax: number;
  readonly open: () => Socket[];
};

const heldSeconds = 20;

/** Runs a stress test; true if memory stays within its bound and /readyz returns 200. */
const cost = async (
  product: Product,
  { name, megabytesMax, open }: StressTest,
): Promise<boolean> => {
  const before = product.memory();
  const sockets = open();
  let most = before;
  for (let second = 0; second < heldSeconds; second += 1) {
    await sleep(1_000);
    most = Math.max(most, product.memory());
  }
  const openCount = sockets.filter(({ readyState }) => readyState === 'open').length;
  const { status } = await retryingApi({ baseUrl: product.url })('GET', '/readyz');
  sockets.forEach((socket) => socket.destroy());
  const added = Math.round(most - before);
  console.log(
    `${name}: ${added} MB more (at most ${megabytesMax}), ${openCount} of ${sockets.length} open, /readyz returned ${status}`,
  );
  return added <= megabytesMax && status === 200;
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void Promise.allSettled([endProducts(), removeDeployments()]).then(() => process.exit(130));
  });
}
const soakProcesses = async (): Promise<boolean> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-soak-'));
  await chmod(dataDir, 0o711);
  const product = await startProduct(dataDir);
  try {
    return await main(product);
  } finally {
    await product.stop();
    await removeProduct(dataDir);
  }
};

const print = (line: string): void => console.log(line);
const isPassed = values.compose
  ? await soakContainers({ minutes, rate, print })
  : await soakProcesses();
process.exitCode = isPassed ? 0 : 1;
