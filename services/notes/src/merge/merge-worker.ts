import { parentPort } from 'node:worker_threads';
import {
  mergeText,
  takeOut,
  takeOutStepsMax,
  tooCostly,
  type Removal,
  type Texts,
} from '@commonplace/merge';

/*
 * The worker thread of expensive merges (see `create-merge-thread.ts`). Posts `ready`, then responds to each message
 * with the merged text or null, or with what is left without some versions, one at a time.
 */
const port = parentPort;
if (!port) {
  throw new Error('This file runs only in a worker thread');
}
port.on('message', (task: Texts | Removal) => {
  if ('ranges' in task) {
    const taken = takeOut(task, takeOutStepsMax);
    port.postMessage({ taken: taken === tooCostly ? null : taken });
  } else {
    port.postMessage({ merged: mergeText(task.base, task.ours, task.theirs) });
  }
});
port.postMessage('ready');
