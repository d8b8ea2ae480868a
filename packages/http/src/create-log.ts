import { pino, type Logger } from 'pino';

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
    pino.destination({ dest: 2, sync: false }),
  );

export type { Logger };
