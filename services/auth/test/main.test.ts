import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createWorld, password, type World } from './support/auth-world.ts';

// Each test starts processes, which takes long on a busy machine.
jest.setTimeout(90_000);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  started.forEach((child) => child.kill('SIGKILL'));
  await world.close();
});

/** Processes that a failing test may have left running. */
const started: ChildProcess[] = [];

const source = (name: string) => fileURLToPath(new URL(`../src/${name}`, import.meta.url));
const secret = (name: string) => `test-only-${name}-of-more-than-32-bytes`;

const environment = (): Record<string, string> => ({
  DATABASE_URL: world.database.appUrl('auth'),
  DEPLOYMENT_MODE: 'authenticated',
  LOG_LEVEL: 'info',
  AGENTS_URL: 'http://127.0.0.1:9',
  GATEWAY_URL: 'http://127.0.0.1:8080',
  ...Object.fromEntries(
    ['SESSION_SECRETS', 'PASSWORD_PEPPERS', 'RUN_TOKEN_SECRETS', 'INTERNAL_IDENTITY_SECRETS'].map(
      (name) => [name, secret(name)],
    ),
  ),
});

type Run = { child: ChildProcess; stdout: Promise<string>; stderr: Promise<string> };

const start = (
  env: Record<string, string>,
  words: readonly string[] = ['main.ts'],
  channel: 'ipc' | 'ignore' = 'ipc',
): Run => {
  const [name = '', ...more] = words;
  const child = spawn(process.execPath, [source(name), ...more], {
    env,
    stdio: ['pipe', 'pipe', 'pipe', channel],
  });
  started.push(child);
  return { child, stdout: text(child.stdout as never), stderr: text(child.stderr as never) };
};

type Message = Readonly<Record<string, unknown>>;

/** The messages to a supervisor, up to the first of a type. */
const messagesUntil = (child: ChildProcess, type: string): Promise<Message[]> =>
  new Promise((resolve, reject) => {
    const messages: Message[] = [];
    child.on('message', (message) => {
      messages.push(message as Message);
      if (messages.at(-1)?.['type'] === type) {
        resolve(messages);
      }
    });
    child.once('close', () => reject(new Error(`The process ended without a ${type}`)));
  });

describe('the process', () => {
  it('prints all problems of its environment without values, and exits with 1', async () => {
    const run = start({ ...environment(), DATABASE_URL: 'nowhere', SESSION_SECRETS: 'short' });
    const [code] = (await once(run.child, 'close')) as [number];
    const output = await run.stderr;
    expect(code).toBe(1);
    expect(output).toContain('DATABASE_URL');
    expect(output).toContain('SESSION_SECRETS');
    expect(output).not.toContain('nowhere');
  });

  it('rejects a weak password for the first operator at startup', async () => {
    const run = start({
      ...environment(),
      BOOTSTRAP_OPERATOR_EMAIL: 'olga@example.org',
      BOOTSTRAP_OPERATOR_PASSWORD: 'password1234567',
    });
    const [code] = (await once(run.child, 'close')) as [number];
    expect([code, await run.stderr]).toEqual([
      1,
      expect.stringContaining('BOOTSTRAP_OPERATOR_PASSWORD'),
    ]);
  });

  it('reports readiness and the setup link, responds, and stops on request', async () => {
    const run = start(environment());
    const messages = await messagesUntil(run.child, 'setup_link');
    const port = messages.find(({ type }) => type === 'ready')?.['port'];
    const url = String(messages.find(({ type }) => type === 'setup_link')?.['url']);
    expect((await fetch(`http://127.0.0.1:${port as number}/readyz`)).status).toBe(200);
    run.child.kill('SIGTERM');
    const [code] = (await once(run.child, 'close')) as [number];
    expect(code).toBe(0);
    const token = new URL(url).hash.replace('#token=', '');
    expect(token).toHaveLength(43);
    expect(await run.stdout).not.toContain(token);
    expect(await run.stderr).not.toContain(token);
  });
});

describe('without a supervisor', () => {
  it('prints the setup link on standard output', async () => {
    const run = start(environment(), ['main.ts'], 'ignore');
    const [chunk] = (await once(run.child.stdout as never, 'data')) as [Buffer];
    expect(String(chunk)).toMatch(
      /of several links only the newest.*http:\/\/127\.0\.0\.1:8080\/setup#token=[\w-]{43}\n$/,
    );
    run.child.kill('SIGTERM');
    expect(await once(run.child, 'close')).toEqual([0, null]);
  });
});

describe('the operator command', () => {
  it('creates an operator with the password from standard input', async () => {
    const run = start(environment(), ['operator-cli.ts', 'create', 'cli@example.org']);
    run.child.stdin?.end(`${password}\n`);
    const [code] = (await once(run.child, 'close')) as [number];
    expect([code, await run.stdout]).toEqual([0, expect.stringContaining('cli@example.org')]);
    expect(await world.sql('select email from auth.operators')).toEqual([
      { email: 'cli@example.org' },
    ]);
  });

  it('exits with 1 on a rejection and with 2 on misuse', async () => {
    const codes: number[] = [];
    for (const words of [['disable', 'nobody@example.org'], ['remove']]) {
      const run = start(environment(), ['operator-cli.ts', ...words]);
      run.child.stdin?.end();
      const [code] = (await once(run.child, 'close')) as [number];
      codes.push(code);
      expect(await run.stderr).not.toContain('    at ');
    }
    expect(codes).toEqual([1, 2]);
  });

  it('changes nothing with peppers unknown to the service, and names the ones it needs', async () => {
    const known = secret('PASSWORD_PEPPERS');
    const another = secret('another-pepper');
    await world.sql('delete from auth.configuration_fingerprints');
    const before = await world.sql('select * from auth.operators');
    await withPeppers(`${known},former-${known}`, 'main.ts');
    for (const words of [
      ['reset-password', 'cli@example.org'],
      ['create', 'new@example.org'],
      ['peppers'],
    ]) {
      // New hashes use the first pepper, so a known second one does not help.
      for (const peppers of [another, `${another},${known}`]) {
        const { code, stdout, stderr } = await withPeppers(peppers, 'operator-cli.ts', ...words);
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(
          /^PASSWORD_PEPPERS is not the one .*\(stored: [0-9a-f]{12}, [0-9a-f]{12}; configured: [0-9a-f]{12}/,
        );
        expect(stderr).toContain('Nothing was changed');
        expect(stderr).not.toContain('    at ');
      }
    }
    expect(await world.sql('select * from auth.operators')).toEqual(before);
    const reset = ['reset-password', 'cli@example.org'];
    // During a rotation either may be first.
    expect(
      await withPeppers(`former-${known},${known}`, 'operator-cli.ts', ...reset),
    ).toMatchObject({ code: 0 });
    expect(
      await world.sql('select count(*)::int from auth.configuration_fingerprints where name = $1', [
        'PASSWORD_PEPPERS',
      ]),
    ).toEqual([{ count: 2 }]);
  });
});

/** Runs a program with these peppers until it exits; the service until it listens. */
const withPeppers = async (peppers: string, ...words: readonly string[]) => {
  const isService = words[0] === 'main.ts';
  const run = start(
    { ...environment(), PASSWORD_PEPPERS: peppers },
    words,
    isService ? 'ipc' : 'ignore',
  );
  run.child.stdin?.end();
  const ended = once(run.child, 'close');
  if (isService) {
    await messagesUntil(run.child, 'ready');
    run.child.kill('SIGTERM');
  }
  const [code] = (await ended) as [number];
  return { code, stdout: await run.stdout, stderr: await run.stderr };
};
