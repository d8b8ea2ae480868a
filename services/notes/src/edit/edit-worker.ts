import { parentPort } from 'node:worker_threads';
import { applyTextEdits } from './apply-text-edits.ts';
import type { TextEdits } from './edit-result.ts';
import { markdownOutline } from './markdown-outline.ts';

/*
 * The worker thread of expensive edits (see `create-edit-thread.ts`). Posts `ready`, then responds to each message
 * with the edited text, one at a time.
 */
const port = parentPort;
if (!port) {
  throw new Error('This file runs only in a worker thread');
}
port.on('message', ({ content, edits }: TextEdits) => {
  port.postMessage(
    applyTextEdits(content, edits, { outlineOf: markdownOutline, costMax: Infinity }),
  );
});
port.postMessage('ready');
