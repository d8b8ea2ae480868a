import { pino, type Logger } from 'pino';
import { inBlocks } from './in-blocks.ts';
import { logTime } from './log-time.ts';

/**
 * JSON lines on stderr; stdout belongs to what people are told. Requests are logged by explicit
 * fields, never by their headers, so that no credential can get into a line; the redaction is for
 * what a later hand may add.
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
    inBlocks({
      inBackground: pino.destination({ dest: 2, sync: false }),
      atOnce: pino.destination({ dest: 2, sync: true }),
    }),
  );

/**
 * The log for the lines of requests. Their fields are told one by one and hold no object of anybody else's,
 * so there is nothing to redact, and looking for it was a fortieth of what the gateway did.
 */
export const requestLines = (log: Logger): Logger => log.child({}, { redact: [] });

export type { Logger };
