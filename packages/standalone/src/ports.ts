import { setTimeout as sleep } from 'node:timers/promises';
import { listenProblem } from '@commonplace/embedded-postgres';

/** Below the range of ephemeral ports, so that no outgoing connection gets one by chance. */
const firstPort = 20_000;
/** Processes that start at the same time choose from different blocks of the range. */
const blocks = { count: 10, ports: 1_000 } as const;

/** What this process tried. What it chose is free until the service listens, which is seconds later. */
const tried = new Set<number>();

/** Chooses free ports of the loopback interface for internal services, each only once. */
export const chooseFreePorts = async (count: number): Promise<number[]> => {
  const first = firstPort + (process.pid % blocks.count) * blocks.ports;
  const chosen: number[] = [];
  while (chosen.length < count) {
    const port = first + Math.floor(Math.random() * blocks.ports);
    if (tried.has(port)) {
      continue;
    }
    tried.add(port);
    if ((await listenProblem('127.0.0.1', port)) === null) {
      chosen.push(port);
    }
  }
  return chosen;
};

type PortCheck = {
  /** The setting that chooses the port. */
  readonly setting?: string;
  readonly host: string;
  readonly port: number;
  /** How long to wait for the present user of the port to end. */
  readonly waitSeconds: number;
};

/** Throws an error with advice if the port cannot be used. */
export const assertPortIsFree = async ({
  setting = 'PORT',
  host,
  port,
  waitSeconds,
}: PortCheck): Promise<void> => {
  const deadline = performance.now() + waitSeconds * 1000;
  let code = await listenProblem(host, port);
  while (code === 'EADDRINUSE' && performance.now() < deadline) {
    await sleep(100);
    code = await listenProblem(host, port);
  }
  if (code === 'EADDRINUSE') {
    throw new Error(
      `Port ${port} on ${host} is taken by another program. Stop that one, or choose another port with ${setting}.`,
    );
  }
  if (code !== null) {
    throw new Error(
      `Port ${port} on ${host} cannot be used (${code}). Choose another address with ${setting} and ${setting.replace('PORT', 'HOST')}.`,
    );
  }
};
