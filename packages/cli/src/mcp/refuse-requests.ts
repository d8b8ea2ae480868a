import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { failureMessage, type Failure } from './failure-message.ts';
import { isRequest } from './message.ts';
import { parseLine } from './parse-line.ts';

type Refusing = { readonly input: Readable; readonly output: Writable; readonly failure: Failure };

/** A client begins as soon as it has started the program; one that is silent for so long is none. */
const quietMs = 2_000;

/**
 * Refuses every request with one failure, so that a client shows it. Resolves when the input ends or nothing comes any
 * more: some clients send a second request after the first was refused.
 */
export const refuseRequests = async ({ input, output, failure }: Refusing): Promise<void> => {
  const lines = createInterface({ input, crlfDelay: Infinity });
  const timer = setTimeout(() => lines.close(), quietMs);
  for await (const line of lines) {
    timer.refresh();
    for (const message of parseLine(line) ?? []) {
      if (isRequest(message)) {
        output.write(`${JSON.stringify(failureMessage(message, failure))}\n`);
      }
    }
  }
  clearTimeout(timer);
  input.destroy();
};
