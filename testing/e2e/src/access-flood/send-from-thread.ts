import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Figures, LoadClient, SentRequest } from './send-repeatedly.ts';

type Load = Omit<LoadClient, 'next'>;

/** Sends requests from another thread: client number i sends the request at i, over and over, and none for longer. */
export const sendFromThread = (load: Load, requests: readonly SentRequest[]): Promise<Figures> =>
  figuresOf(
    new Worker(new URL('requests-thread.ts', import.meta.url), { workerData: { load, requests } }),
  );

/** Sends requests with a new forged key each from another thread. */
export const forgeKeysFromThread = (load: Load): Promise<Figures> =>
  figuresOf(new Worker(new URL('forge-keys.ts', import.meta.url), { workerData: load }));

const figuresOf = async (worker: Worker): Promise<Figures> => {
  const [figures] = (await once(worker, 'message')) as [Figures];
  return figures;
};
