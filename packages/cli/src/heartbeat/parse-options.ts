import { parseArgs } from 'node:util';
import { agentId, cents } from '@commonplace/contracts';
import { z } from 'zod';
import { UsageError } from '../command.ts';
import { describeError } from '../describe-error.ts';
import { parseDuration } from '../parse-duration.ts';

const wholeNumber = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number')
  .transform(Number);

const options = z.object({
  agent: z.string({ error: '<id> is missing' }).pipe(agentId),
  every: z
    .string()
    .transform(parseDuration)
    .pipe(z.number({ error: 'must be a duration like 30s, 5m or 1h, of 24 days at most' }))
    .optional(),
  'reserve-cents': wholeNumber.pipe(cents).optional(),
  'ttl-seconds': wholeNumber.pipe(z.int().min(60).max(3600)).optional(),
});

/** What the command line of `heartbeat` asked for. */
export type HeartbeatOptions = {
  readonly agentId: string;
  /** The program and its arguments, as the system takes them: no shell reads them. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Beat again and again; left out, there is one beat. */
  readonly everyMs: number | undefined;
  readonly reserveCents: number | undefined;
  readonly ttlSeconds: number | undefined;
};

/** Reads the arguments of `heartbeat`; 'help' when that is what was asked for. */
export const parseOptions = (args: readonly string[]): HeartbeatOptions | 'help' => {
  const end = args.indexOf('--');
  const values = parseFlags(end < 0 ? args : args.slice(0, end));
  if (values.help) {
    return 'help';
  }
  const [program, ...rest] = end < 0 ? [] : args.slice(end + 1);
  const parsed = options.safeParse(values);
  const problems = (parsed.error?.issues ?? []).map(
    ({ path, message }) => `--${path.join('.')} ${message}`,
  );
  if (program === undefined) {
    problems.push('no command: write it behind --');
  }
  if (!parsed.data || program === undefined) {
    throw new UsageError(problems);
  }
  return {
    agentId: parsed.data.agent,
    command: [program, ...rest],
    everyMs: parsed.data.every,
    reserveCents: parsed.data['reserve-cents'],
    ttlSeconds: parsed.data['ttl-seconds'],
  };
};

const parseFlags = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        agent: { type: 'string' },
        every: { type: 'string' },
        'reserve-cents': { type: 'string' },
        'ttl-seconds': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError([describeError(error)]);
  }
};
