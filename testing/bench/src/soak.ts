import { chmod, mkdtemp } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openConnections, openSlowReaders } from './soak/burdens.ts';
import { holders, memoryByProcess, totalOf, type Holdings } from './soak/memory-by-process.ts';
import { oneMinute, type Inhabitants, type Rate } from './soak/one-minute.ts';
import { courseTable, coursesOf } from './soak/verdict.ts';
import { endProducts, removeProduct, startProduct, type Product } from './system/product.ts';
import { makeWorld } from './system/world.ts';
import { patientApi } from './system/patient-api.ts';

/**
 * `pnpm soak`: an hour under load, `--minutes N` for another time, `--rate N` for so many requests a second
 * instead of all there can be. Reads, writes and synchronises without a pause; beside it clients that do
 * not read their answers and batches of 500 notes. At the end a storm of such clients, and 2,000 connections
 * at once. Prints the memory of every process; fails when one rose in the last half of the time, when a
 * burden costs more than it may, or when nobody is answered under it.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: { minutes: { type: 'string', default: '60' }, rate: { type: 'string' } },
});
const minutes = Number(values.minutes);
const rate: Rate = values.rate === undefined ? null : Number(values.rate);

/** By how many megabytes each burden may raise the memory. */
const costMax = { slowReaders: 300, connections: 100 } as const;

const main = async (product: Product): Promise<boolean> => {
  const world = await makeWorld(product);
  const inhabitants = { steady: world.company, loud: await world.makeCompany('Batches') };
  const courses = coursesOf(await soak(product, inhabitants));
  console.log(`\n${courseTable(courses)}\n`);
  const bounds = [
    await cost(product, {
      name: '50 clients that are owed 40 pages of 500 notes each, and read none',
      megabytesMax: costMax.slowReaders,
      open: () => slowReaders(product, inhabitants, { clients: 50, pages: 40 }),
    }),
    await cost(product, {
      name: '1,900 more connections',
      megabytesMax: costMax.connections,
      open: () => openConnections(product.url, 1_900),
    }),
  ];
  return courses.every(({ isFlat }) => isFlat) && bounds.every(Boolean);
};

const soak = async (product: Product, inhabitants: Inhabitants): Promise<Holdings[]> => {
  const seen: Holdings[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const slow = slowReaders(product, inhabitants, { clients: 10, pages: 2 });
    await oneMinute(product, inhabitants, rate);
    slow.forEach((socket) => socket.destroy());
    const holdings = memoryByProcess(product.pid);
    seen.push(holdings);
    const parts = holders.map((holder) => `${holder} ${holdings[holder]}`).join(', ');
    console.log(`minute ${minute}: ${totalOf(holdings)} MB (${parts})`);
  }
  return seen;
};

const slowReaders = (
  { url }: Product,
  { loud }: Inhabitants,
  many: { readonly clients: number; readonly pages: number },
): Socket[] => openSlowReaders({ url, key: loud.key, ...many });

type Burdening = {
  readonly name: string;
  readonly megabytesMax: number;
  readonly open: () => Socket[];
};

const heldSeconds = 20;

/** What a burden adds to the memory at most while it lasts, and whether others are answered meanwhile. */
const cost = async (
  product: Product,
  { name, megabytesMax, open }: Burdening,
): Promise<boolean> => {
  const before = product.memory();
  const sockets = open();
  let most = before;
  for (let second = 0; second < heldSeconds; second += 1) {
    await sleep(1_000);
    most = Math.max(most, product.memory());
  }
  const openCount = sockets.filter(({ readyState }) => readyState === 'open').length;
  const { status } = await patientApi({ baseUrl: product.url })('GET', '/readyz');
  sockets.forEach((socket) => socket.destroy());
  const added = Math.round(most - before);
  console.log(
    `${name}: ${added} MB more (at most ${megabytesMax}), ${openCount} of ${sockets.length} open, /readyz answers ${status}`,
  );
  return added <= megabytesMax && status === 200;
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endProducts().finally(() => process.exit(130)));
}
const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-soak-'));
await chmod(dataDir, 0o711);
const product = await startProduct(dataDir);
try {
  process.exitCode = (await main(product)) ? 0 : 1;
} finally {
  await product.stop();
  await removeProduct(dataDir);
}
