import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '@commonplace/concurrency';
import { searchDocument, type SearchedNote } from './search-document.ts';
import { createStemmer } from './stem-word.ts';

/*
 * The worker thread of the search indexer (see `document-thread.ts`). Posts `ready`, then responds to each message
 * with the documents of its notes.
 */
const port = parentPort;
if (!port) {
  throw new Error('This file runs only in a worker thread');
}
// Nobody waits for most documents, and a large one would take a processor from requests for a second.
lowerThreadPriority();
const stems = createStemmer();
port.on(
  'message',
  ({ prefix, notes }: { readonly prefix: string; readonly notes: readonly SearchedNote[] }) => {
    port.postMessage(notes.map((note) => searchDocument(note, prefix, stems)));
  },
);
port.postMessage('ready');
