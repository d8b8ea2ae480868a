import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '@commonplace/concurrency';
import { buildDocument, type SearchDocument, type SearchedNote } from './search-document.ts';
import { createStemmer } from './stem-word.ts';

/*
 * The worker thread of the search indexer (see `document-thread.ts`). Posts `ready`, then responds to each message: with
 * the documents of a build, or with none if it is not finished after its time, so that others get theirs.
 */
const port = parentPort;
if (!port) {
  throw new Error('This file runs only in a worker thread');
}

/** A message of the process: starts a build, or goes on with it. */
export type BuildMessage = {
  readonly id: number;
  readonly start?: { readonly prefix: string; readonly notes: readonly SearchedNote[] };
};

/** `isUnknown`: the thread was started after the build was. */
export type BuildProgress = {
  readonly documents?: readonly SearchDocument[];
  readonly isUnknown?: true;
};

/** Milliseconds of a build before the thread goes on with the next one. */
const sliceMs = 40;

// Nobody waits for most documents, and a large one would take a processor from requests for a second.
lowerThreadPriority();
const stems = createStemmer();
const builds = new Map<number, Generator<void, SearchDocument[]>>();

function* documentsOf({
  prefix,
  notes,
}: NonNullable<BuildMessage['start']>): Generator<void, SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const note of notes) {
    documents.push(yield* buildDocument(note, { prefix, stems }));
  }
  return documents;
}

const advance = ({ id, start }: BuildMessage): BuildProgress => {
  const build = start ? documentsOf(start) : builds.get(id);
  if (!build) {
    return { isUnknown: true };
  }
  const until = performance.now() + sliceMs;
  do {
    const { done, value } = build.next();
    if (done) {
      builds.delete(id);
      return { documents: value };
    }
  } while (performance.now() < until);
  builds.set(id, build);
  return {};
};

port.on('message', (message: BuildMessage) => port.postMessage(advance(message)));
port.postMessage('ready');
