import { pino, type Logger } from 'pino';

/** A write per line was a tenth of what the gateway did. Lines leave in blocks, 100 ms late at most. */
const blockLengthMin = 4 * 1024;
const flushMs = 100;

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
      timestamp: pino.stdTimeFunctions.isoTime,
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
    pino.destination({ dest: 2, sync: false, minLength: blockLengthMin, periodicFlush: flushMs }),
  );

/**
 * The log for the lines of requests. Their fields are told one by one and hold no object of anybody else's,
 * so there is nothing to redact, and looking for it was a fortieth of what the gateway did.
 */
export const requestLines = (log: Logger): Logger => log.child({}, { redact: [] });

export type { Logger };
