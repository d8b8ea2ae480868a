import { chmod, mkdtemp } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { runLoad } from './load/run-load.ts';
import type { LoadRequest } from './load/load.ts';
import { runSyncTask } from './load/run-sync-task.ts';
import { median } from './median.ts';
import { noteOf } from './system/note-of.ts';
import { endProducts, removeProduct, startProduct, type Product } from './system/product.ts';
import { makeWorld, type World } from './system/world.ts';
import { patientApi } from './system/patient-api.ts';

/**
 * `pnpm soak`: an hour under load, `--minutes N` for another time. Reads, writes and synchronises without
 * a pause; beside it clients that do not read their answers, batches of 500 notes and, at the end, 2,000
 * connections at once. Prints the memory of the system every minute; fails when it grew by a fifth from
 * the first third of the time to the last.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: { minutes: { type: 'string', default: '60' } },
});
const minutes = Number(values.minutes);

const main = async (product: Product): Promise<boolean> => {
  const world = await makeWorld(product);
  const loud = await world.makeCompany('Batches');
  const memory: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const slow = await openSlowReaders(product, world);
    await oneMinute(product, { world, loud });
    slow.forEach((socket) => socket.destroy());
    memory.push(product.memory());
    console.log(`minute ${minute}: ${memory.at(-1)} MB`);
  }
  await openManyConnections(product);
  const third = Math.max(1, Math.floor(memory.length / 3));
  const [first, last] = [median(memory.slice(0, third)), median(memory.slice(-third))];
  console.log(`first third ${first} MB, last third ${last} MB`);
  return last <= first * 1.2;
};

type Inhabitants = { readonly world: World; readonly loud: CompanyWorld };

/** What one company of agents does in a minute when it does nothing else. */
const oneMinute = async ({ url }: Product, { world, loud }: Inhabitants): Promise<void> => {
  const { company } = world;
  const headers = { ...bearer(company.key), 'content-type': 'application/json' };
  const requests: LoadRequest[] = [
    { method: 'GET', path: `/api/notes/${company.noteId}`, headers },
    { method: 'GET', path: '/api/notes?limit=50', headers },
    { method: 'PUT', path: `/api/notes/${company.noteId}`, headers, body: noteText },
    { method: 'GET', path: '/api/agents/me', headers },
  ];
  const load = runLoad({ url, requests, connections: 32, isCycled: true, seconds: 55 });
  const batch = { url, headers: bearer(loud.key), notes: 5_000, batch: 500 } as const;
  await runSyncTask({ what: 'push', ...batch });
  await runSyncTask({ what: 'pull', ...batch });
  await load;
};

const noteText = JSON.stringify(noteOf('soaked {{n}}'));

/** Clients that ask for much and read nothing of it. */
const openSlowReaders = async ({ url }: Product, { company }: World): Promise<Socket[]> => {
  const { hostname, port } = new URL(url);
  return Array.from({ length: 50 }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(
      `POST /api/sync HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${company.key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    );
    return socket;
  });
};

/** All the connections the gateway takes, then one more request, which has to be answered. */
const openManyConnections = async (product: Product): Promise<void> => {
  const { hostname, port } = new URL(product.url);
  const sockets = Array.from({ length: 1_990 }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    return socket;
  });
  await sleep(3_000);
  const open = sockets.filter(({ readyState }) => readyState === 'open').length;
  const { status } = await patientApi({ baseUrl: product.url })('GET', '/readyz');
  console.log(`${open} more connections: ${product.memory()} MB, /readyz answers ${status}`);
  sockets.forEach((socket) => socket.destroy());
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
