import { parentPort, workerData } from 'node:worker_threads';
import { sendRepeatedly, type LoadClient, type SentRequest } from './send-repeatedly.ts';

/**
 * A worker thread for clients with large requests or responses: in the measuring thread, these would slow down the
 * measurement itself.
 */
const { load, requests } = workerData as {
  readonly load: Omit<LoadClient, 'next'>;
  readonly requests: readonly SentRequest[];
};
const figures = await sendRepeatedly({
  ...load,
  endsInTime: true,
  next: (client) => requests[client % requests.length] as SentRequest,
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(figures);
