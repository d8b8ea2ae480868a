import { readFileSync } from 'node:fs';
import { failure, ok, skipped, warning, type Finding } from '@commonplace/checks';
import type { Deployment } from './deployment.ts';

const lists = [
  'RUN_TOKEN_SECRETS',
  'INTERNAL_IDENTITY_SECRETS',
  'API_KEY_PEPPERS',
  'PASSWORD_PEPPERS',
  'SESSION_SECRETS',
  'SECOND_FACTOR_SECRETS',
];
/** An instance of a release before may have none: then nobody can set up an authenticator app. */
const optional = 'SECOND_FACTOR_SECRETS';
/** What may be in a file as well. */
const singles = [
  'AUTH_DATABASE_PASSWORD',
  'AGENTS_DATABASE_PASSWORD',
  'NOTES_DATABASE_PASSWORD',
  'BOOTSTRAP_OPERATOR_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'EMBEDDINGS_API_KEY',
];
const bytesMin = 32;
/** As in packages/contracts/src/auth. */
const passwordLengthMin = 15;
const passwordLengthMax = 128;
const example = /change[-_ ]?me|example|secret-secret|placeholder/i;

/** Checks that every secret is set, long enough, unique, and not an example. */
export const checkSecrets = async (deployment: Deployment): Promise<Finding[]> => {
  const { env: given, dataDir, isBeforeFirstStart } = deployment;
  if (isBeforeFirstStart) {
    return [skipped('secrets', `none in ${dataDir} yet: the first pnpm start creates them`)];
  }
  const { env, findings: ofFiles, unread } = readSecretFiles(given, deployment.isInImage);
  const todo =
    'Run pnpm secrets to create new ones; docs/secret-rotation.md explains how to replace one.';
  const problems = lists
    .filter((name) => !unread.has(name))
    .flatMap((name) => problemsOf(name, env[name] ?? ''));
  const everywhere = lists.flatMap((name) => split(env[name] ?? ''));
  if (new Set(everywhere).size < everywhere.length) {
    problems.push('one secret is used in two places');
  }
  const findings = [...ofFiles, ...problems.map((problem) => failure('secrets', problem, todo))];
  if (findings.length === 0) {
    findings.push(ok('secrets', `${lists.length} lists, long enough and unique`));
  }
  return [...findings, ...bootstrapFindings(env['BOOTSTRAP_OPERATOR_PASSWORD'] ?? '')];
};

/** The lengths that any password may have; auth refuses to start with another. */
const bootstrapFindings = (password: string): Finding[] => {
  const length = [...password].length;
  if (length === 0) {
    return [];
  }
  return length < passwordLengthMin || length > passwordLengthMax
    ? [
        failure(
          'secrets',
          `BOOTSTRAP_OPERATOR_PASSWORD has ${length} characters, so auth does not start`,
          `Use ${passwordLengthMin} to ${passwordLengthMax}.`,
        ),
      ]
    : [
        warning(
          'secrets',
          'BOOTSTRAP_OPERATOR_PASSWORD is still set',
          'Remove it and BOOTSTRAP_OPERATOR_EMAIL once the first operator has signed in.',
        ),
      ];
};

type Environment = Deployment['env'];

type SecretFiles = {
  readonly env: Environment;
  readonly findings: readonly Finding[];
  /** Lists whose file was not read; a finding says why. */
  readonly unread: ReadonlySet<string>;
};

/** Reads the files of `NAME_FILE`, as the processes do; in the image also as the user who they run as. */
const readSecretFiles = (given: Environment, isInImage: boolean): SecretFiles => {
  const env: Record<string, string> = { ...given };
  const findings: Finding[] = [];
  const unread = new Set<string>();
  for (const name of [...lists, ...singles]) {
    const path = given[`${name}_FILE`];
    if (path === undefined) {
      continue;
    }
    if (given[name] !== undefined) {
      const todo = 'The processes refuse to start. Keep one of the two.';
      unread.add(name);
      findings.push(failure('secrets', `${name} and ${name}_FILE are both set`, todo));
      continue;
    }
    try {
      env[name] = readFileSync(path, 'utf8').trim();
    } catch {
      const todo = 'Run the doctor where the file is, as a user who can read it.';
      unread.add(name);
      const problem = `${name}_FILE: ${path} cannot be read from here`;
      findings.push(
        isInImage
          ? failure('secrets', problem, 'Let the user 1000 read it; it needs an absolute path.')
          : warning('secrets', problem, todo),
      );
    }
  }
  return { env, findings, unread };
};

const split = (text: string): string[] =>
  text
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean);

/** The problems never contain a secret. */
const problemsOf = (name: string, text: string): string[] => {
  const secrets = split(text);
  if (secrets.length === 0) {
    return name === optional ? [] : [`${name} has no value`];
  }
  return [
    ...(secrets.some((secret) => Buffer.byteLength(secret) < bytesMin)
      ? [`${name} has a secret of less than ${bytesMin} bytes`]
      : []),
    ...(secrets.some((secret) => example.test(secret)) ? [`${name} has an example value`] : []),
  ];
};
