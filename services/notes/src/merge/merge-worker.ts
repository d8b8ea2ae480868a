import { parentPort } from 'node:worker_threads';
import { mergeText, type Texts } from '@commonplace/merge';

/*
 * The worker thread of expensive merges (see `create-merge-thread.ts`). Posts `ready`, then responds to each message
 * with the merged text or null, one at a time.
 */
const port = parentPort;
if (!port) {
  throw new Error('This file runs only in a worker thread');
}
port.on('message', ({ base, ours, theirs }: Texts) => {
  port.postMessage({ merged: mergeText(base, ours, theirs) });
});
port.postMessage('ready');
