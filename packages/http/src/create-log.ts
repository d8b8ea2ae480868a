import { pino, type Logger } from 'pino';
import { logTime } from './log-time.ts';

/**
 * A write for every line was a tenth of what the gateway did. Larger blocks cost more again: with each line
 * the destination flattens and measures all of the block (64 KB: 19 µs a line, 4 KB: 7 µs).
 */
const bufferBytes = 4 * 1_024;
const writtenBytesMax = 2 * bufferBytes;
const bufferedMsMax = 100;

/**
 * JSON lines on stderr; stdout belongs to what people are told. Requests are logged by explicit
 * fields, never by their headers, so that no credential can get into a line; the redaction is for
 * what a later hand may add. Lines leave together, a tenth of a second late at most; those of a process
 * that ends leave before it does.
 */
export const createLog = (service: string, level: string): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: logTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'headers',
          'req',
          'password',
          'token',
          'key',
          'secret',
          '*.password',
          '*.token',
          '*.key',
          '*.secret',
        ],
        censor: '[redacted]',
      },
    },
    pino.destination({
      dest: 2,
      sync: false,
      minLength: bufferBytes,
      maxWrite: writtenBytesMax,
      periodicFlush: bufferedMsMax,
    }),
  );

/**
 * The log for the lines of requests. Their fields are told one by one and hold no object of anybody else's,
 * so there is nothing to redact, and looking for it was a fortieth of what the gateway did.
 */
export const requestLines = (log: Logger): Logger => log.child({}, { redact: [] });

export type { Logger };
