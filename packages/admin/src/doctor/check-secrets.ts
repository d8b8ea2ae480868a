import { readFileSync } from 'node:fs';
import { failure, ok, skipped, warning, type Deployment, type Finding } from './finding.ts';

const lists = [
  'RUN_TOKEN_SECRETS',
  'INTERNAL_IDENTITY_SECRETS',
  'API_KEY_PEPPERS',
  'PASSWORD_PEPPERS',
  'SESSION_SECRETS',
];
const bytesMin = 32;
const example = /change[-_ ]?me|example|secret-secret|placeholder/i;

/** Whether every secret is there, long enough, one of its own, and none out of a manual. */
export const checkSecrets = async (deployment: Deployment): Promise<Finding[]> => {
  const { env: given, dataDir, isBeforeFirstStart } = deployment;
  if (isBeforeFirstStart) {
    return [skipped('secrets', `none in ${dataDir} yet: the first pnpm start makes them`)];
  }
  const { env, findings: ofFiles, unread } = readSecretFiles(given);
  const todo = 'Run pnpm secrets for good ones, and docs/secret-rotation.md to replace one in use.';
  const problems = lists
    .filter((name) => !unread.has(name))
    .flatMap((name) => problemsOf(name, env[name] ?? ''));
  const everywhere = lists.flatMap((name) => split(env[name] ?? ''));
  if (new Set(everywhere).size < everywhere.length) {
    problems.push('one secret stands in two places');
  }
  const findings = [...ofFiles, ...problems.map((problem) => failure('secrets', problem, todo))];
  if (findings.length === 0) {
    findings.push(ok('secrets', `${lists.length} lists, long enough and all different`));
  }
  if (env['BOOTSTRAP_OPERATOR_PASSWORD']) {
    findings.push(
      warning(
        'secrets',
        'BOOTSTRAP_OPERATOR_PASSWORD is still set',
        'Remove it and BOOTSTRAP_OPERATOR_EMAIL once the first operator has signed in.',
      ),
    );
  }
  return findings;
};

type Environment = Deployment['env'];

type SecretFiles = {
  readonly env: Environment;
  readonly findings: readonly Finding[];
  /** Lists whose file was not read, for the reason a finding gives. */
  readonly unread: ReadonlySet<string>;
};

/** What `NAME_FILE` names stands for `NAME`, as it does for the processes. */
const readSecretFiles = (given: Environment): SecretFiles => {
  const env: Record<string, string> = { ...given };
  const findings: Finding[] = [];
  const unread = new Set<string>();
  for (const name of lists) {
    const path = given[`${name}_FILE`];
    if (path === undefined) {
      continue;
    }
    if (given[name] !== undefined) {
      const todo = 'The processes refuse to start: keep one of the two.';
      unread.add(name);
      findings.push(failure('secrets', `${name} and ${name}_FILE are both set`, todo));
      continue;
    }
    try {
      env[name] = readFileSync(path, 'utf8').trim();
    } catch {
      const todo = 'Run the doctor where the file is, as a user who may read it.';
      unread.add(name);
      findings.push(warning('secrets', `${name}_FILE: ${path} cannot be read from here`, todo));
    }
  }
  return { env, findings, unread };
};

const split = (text: string): string[] =>
  text
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean);

/** Values themselves never appear in what is said. */
const problemsOf = (name: string, text: string): string[] => {
  const secrets = split(text);
  if (secrets.length === 0) {
    return [`${name} has no value`];
  }
  return [
    ...(secrets.some((secret) => Buffer.byteLength(secret) < bytesMin)
      ? [`${name} holds a secret of less than ${bytesMin} bytes`]
      : []),
    ...(secrets.some((secret) => example.test(secret)) ? [`${name} holds an example`] : []),
  ];
};
