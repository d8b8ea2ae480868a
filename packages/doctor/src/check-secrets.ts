import { failure, ok, warning, type Deployment, type Finding } from './finding.ts';

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
export const checkSecrets = ({ env }: Deployment): Finding[] => {
  const todo = 'Run pnpm secrets for good ones, and docs/secret-rotation.md to replace one in use.';
  const problems = lists.flatMap((name) => problemsOf(name, env[name] ?? ''));
  const everywhere = lists.flatMap((name) => split(env[name] ?? ''));
  if (new Set(everywhere).size < everywhere.length) {
    problems.push('one secret stands in two places');
  }
  const findings = problems.map((problem) => failure('secrets', problem, todo));
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
