import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How the service behaves: as it should, or with a fault. */
type EmbeddingsFault = 'none' | 'error' | 'garbage' | 'wrong dimensions' | 'silent';

export type EmbeddingsServer = {
  readonly url: string;
  readonly dimensions: number;
  /** Every text that it was sent. */
  readonly received: string[];
  readonly authorizations: Set<string | undefined>;
  fail: (fault: EmbeddingsFault) => void;
  /** Holds the responses of requests from now on; returns what lets them go on. */
  readonly hold: () => () => void;
  /** Breaks all connections, as a process that is killed does; nothing listens until it is started again. */
  readonly kill: () => Promise<void>;
  readonly startAgain: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Words of one line mean the same. */
const meanings = [['boat', 'vessel', 'ship'], ['budget', 'money'], ['ledger'], ['garden', 'park']];
/** A request with a text that has one of these words is refused, fails, or gets a vector without a direction for it. */
export const badWords = {
  refused: 'unembeddable',
  failing: 'unrepresentable',
  'without a direction': 'undirected',
} as const;
/** While a request has a text with this word, the service is overloaded. */
export const overloadingWord = 'overloading';

/** Starts a deterministic service for embeddings: a dimension for each meaning, and one for all texts. */
export const startEmbeddingsServer = async (): Promise<EmbeddingsServer> => {
  const received: string[] = [];
  const authorizations = new Set<string | undefined>();
  let fault: EmbeddingsFault = 'none';
  let held = Promise.resolve();
  const server = createServer((req, res) => {
    void text(req).then(async (body) => {
      const { input } = JSON.parse(body) as { input: string[] };
      received.push(...input);
      authorizations.add(req.headers.authorization);
      await held;
      respond(res, fault, input);
    });
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const kill = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/embeddings`,
    dimensions: meanings.length + 1,
    received,
    authorizations,
    fail: (next) => {
      fault = next;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    kill,
    startAgain: () => listen(port),
    close: async () => {
      if (server.listening) {
        await kill();
      }
    },
  };
};

const respond = (res: ServerResponse, fault: EmbeddingsFault, input: readonly string[]): void => {
  if (fault === 'silent') {
    return;
  }
  const has = (word: string) => input.some((one) => one.includes(word));
  const isFailing = fault === 'error' || has(badWords.failing);
  const status = isFailing ? 500 : has(badWords.refused) ? 400 : 200;
  res.statusCode = has(overloadingWord) ? 503 : status;
  res.setHeader('content-type', 'application/json');
  const vectors = input.map(vectorOf);
  const sent = fault === 'wrong dimensions' ? vectors.map((vector) => vector.slice(1)) : vectors;
  const data = sent.map((embedding, index) => ({ index, embedding }));
  res.end(fault === 'garbage' ? '{"data": [' : JSON.stringify({ data }));
};

const vectorOf = (passage: string): number[] =>
  passage.includes(badWords['without a direction'])
    ? [0, ...meanings.map(() => 0)]
    : [0.1, ...meanings.map((words) => (words.some((word) => passage.includes(word)) ? 1 : 0))];
