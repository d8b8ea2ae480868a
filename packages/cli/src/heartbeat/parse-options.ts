import {
  agentId,
  cents,
  requestedGrants,
  requestedScopes,
  scopes,
  type NoteGrant,
  type Scope,
} from '@commonplace/contracts';
import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { parseFlags } from '../flags.ts';
import { heartbeatFlags } from './heartbeat-flags.ts';

const wholeNumber = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number')
  .transform(Number);

const scopeNames = z.string().transform((text, context) => {
  const { data } = requestedScopes.safeParse(text.split(','));
  if (!data) {
    context.addIssue(`must be scopes separated by commas, of ${scopes.join(', ')}`);
    return z.NEVER;
  }
  return data;
});

/** Folders separated by commas; one with `:read`, `:append` or `:propose` behind it is for no more than that. */
const folderNames = z.string().transform((text, context) => {
  const { data, error } = requestedGrants.safeParse(
    text.split(',').map((name) => {
      const [, folder = name, right = 'any'] =
        /^(.*?)(?::(read|append|propose))?$/s.exec(name) ?? [];
      return right === 'propose' ? { folder, scope: 'any', mode: right } : { folder, scope: right };
    }),
  );
  if (!data) {
    context.addIssue(`must be folders separated by commas: ${error?.issues[0]?.message}`);
    return z.NEVER;
  }
  return data;
});

const options = z.object({
  agent: z.string({ error: '<id> is missing' }).pipe(agentId),
  every: z
    .string()
    .transform((text) => parseDuration(text))
    .pipe(z.number({ error: 'must be a duration like 30s, 5m or 1h, of 24 days at most' }))
    .optional(),
  'reserve-cents': wholeNumber.pipe(cents).optional(),
  'ttl-seconds': wholeNumber.pipe(z.int().min(60).max(3600)).optional(),
  scopes: scopeNames.optional(),
  grants: folderNames.optional(),
  context: z.boolean().default(false),
  'context-query': z.string().min(1).max(500).optional(),
});

/** The options of `commonplace heartbeat`. */
export type HeartbeatOptions = {
  readonly agentId: string;
  /** The program and its arguments, which are not passed through a shell. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The interval between beats; undefined for a single beat. */
  readonly everyMs: number | undefined;
  readonly reserveCents: number | undefined;
  readonly ttlSeconds: number | undefined;
  /** What the token of the run may do; left out, as much as the key. */
  readonly scopes: readonly Scope[] | undefined;
  /** The notes that the run reaches; left out, as much as the key. */
  readonly grants?: readonly NoteGrant[] | undefined;
  /** Fetch a context before each beat. */
  readonly context: { readonly query: string | undefined } | undefined;
  /** Log as JSON. */
  readonly isJson: boolean;
};

/** Parses the arguments of `heartbeat`. Throws a UsageError. */
export const parseOptions = (args: readonly string[]): HeartbeatOptions => {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const { values } = parseFlags(heartbeatFlags, own, { min: 0, max: 0 });
  const [program, ...rest] = end < 0 ? [] : args.slice(end + 1);
  const parsed = options.safeParse(values);
  const problems = (parsed.error?.issues ?? []).map(
    ({ path, message }) => `--${path.join('.')} ${message}`,
  );
  if (program === undefined) {
    problems.push('no command: add it after --');
  }
  if (values['context-query'] !== undefined && !values.context) {
    problems.push('--context-query needs --context');
  }
  if (!parsed.data || program === undefined || problems.length > 0) {
    throw new UsageError(problems);
  }
  return {
    agentId: parsed.data.agent,
    command: [program, ...rest],
    everyMs: parsed.data.every,
    reserveCents: parsed.data['reserve-cents'],
    ttlSeconds: parsed.data['ttl-seconds'],
    scopes: parsed.data.scopes,
    grants: parsed.data.grants,
    context: parsed.data.context ? { query: parsed.data['context-query'] } : undefined,
    isJson: values.json ?? false,
  };
};

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A timer takes at most 2^31 milliseconds, slightly more than this. */
const durationMaxMs = 24 * unitMs.d;

/** Parses `30s`, `5m`, `1h` or `1d` to milliseconds; null for anything else, including zero. */
const parseDuration = (text: string): number | null => {
  const [, digits, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) {
    return null;
  }
  const ms = Number(digits) * unitMs[unit as keyof typeof unitMs];
  return ms > 0 && ms <= durationMaxMs ? ms : null;
};
