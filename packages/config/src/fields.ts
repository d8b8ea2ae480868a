import { z } from 'zod';

const secretsRequired =
  'is required: a comma-separated list of secrets of 32 bytes or more (pnpm secrets makes them)';
const exampleSecret = /change[-_ ]?me|example|secret-secret|placeholder/i;

/**
 * A comma-separated list of secrets: the first signs, all verify, so that rotation is boring.
 * Each needs 32 bytes or more, none may repeat or come from an example. There is no default.
 */
export const secretList = z
  .string({ error: secretsRequired })
  .min(1, { error: secretsRequired, abort: true })
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine(
    (secrets) => secrets.every((secret) => Buffer.byteLength(secret) >= 32),
    'every secret needs 32 bytes or more',
  )
  .refine(
    (secrets) => new Set(secrets).size === secrets.length,
    'the same secret stands in the list twice',
  )
  .refine(
    (secrets) => !secrets.some((secret) => exampleSecret.test(secret)),
    'holds an example value; make a real one',
  )
  .transform((secrets) => secrets as [string, ...string[]]);

/** A TCP port; 0 lets the system choose. */
export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port number');

/** A whole number within bounds. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= min && number <= max, `must be between ${min} and ${max}`);

/** An address, or a network in CIDR form. */
export const network = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be addresses or networks such as 10.0.0.0/8, separated by commas',
);

/** The base URL of an HTTP service, without a trailing slash. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .transform((text) => text.replace(/\/+$/, ''));

/** An origin as browsers send it: scheme, host and port, nothing behind. */
export const origin = httpUrl
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text.toLowerCase(),
    'must be an origin, without a path',
  )
  .transform((text) => text.toLowerCase());

/** A comma-separated list. */
export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item));

/**
 * Where a service is: a base URL, or several separated by commas for processes at different places.
 * A host name may have any number of addresses.
 */
export const serviceUrls = listOf(httpUrl)
  .refine((urls) => urls.length > 0, 'must be an http:// or https:// URL')
  .transform((urls) => urls as [string, ...string[]]);

/** The connection URL of a PostgreSQL. */
export const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })
  // PostgreSQL would take the name of the role for the name of the database.
  .refine(
    (text) => !URL.canParse(text) || new URL(text).pathname.length > 1,
    'must name the database, as in postgres://role@host:5432/commonplace',
  );

/** What may replace the configuration that the database was last used with: `NAME:fingerprint`, by commas. */
export const acceptedConfiguration = listOf(
  z
    .string()
    .regex(
      /^[A-Z_]+:[a-z0-9_]+$/,
      'must be as in API_KEY_PEPPERS:0123456789ab, separated by commas',
    ),
);

/** The levels of pino. */
export const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);

/** A switch: `on` or `off`. */
export const onOrOff = z
  .enum(['on', 'off'], 'must be on or off')
  .transform((text) => text === 'on');

/** Whether every client is the operator, or operators sign in. */
export const deploymentMode = z.enum(
  ['local_trusted', 'authenticated'],
  'must be local_trusted or authenticated',
);
