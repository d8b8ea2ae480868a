import { parentPort } from 'node:worker_threads';
import { mergeText, type Texts } from './merge-text.ts';

/*
 * The thread of expensive merges (see `merge-thread.ts`): says that it is ready, then answers each message with
 * the merged text, or null. One message at a time.
 */
const port = parentPort;
if (!port) {
  throw new Error('This file runs in a thread of its own');
}
port.on('message', ({ base, ours, theirs }: Texts) => {
  port.postMessage({ merged: mergeText(base, ours, theirs) });
});
port.postMessage('ready');
