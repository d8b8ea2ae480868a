import { parentPort, workerData } from 'node:worker_threads';
import { makeApiKey } from '@commonplace/identity';
import { bearer } from '../call-api.ts';
import { sendRepeatedly, type LoadClient } from './send-repeatedly.ts';

/**
 * A worker thread for clients that present a new forged key each time. In the measuring thread, creating
 * keys and requests would slow down the measurement itself.
 */
const client = workerData as Omit<LoadClient, 'next'>;
const figures = await sendRepeatedly({
  ...client,
  next: () => ({ method: 'GET', path: '/api/agents/me', headers: bearer(makeApiKey()) }),
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(figures);
