import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { launchService } from '../src/launch-service.ts';
import { eventually, isAlive, servicesDir } from './helpers.ts';

jest.setTimeout(60_000);

const entry = join(servicesDir, 'notes/src/main.ts');

test('a service is running with its environment when the launch resolves, until it is stopped', async () => {
  let written = '';
  const { pid, stop } = await launchService({
    entry,
    env: { HOST: '127.0.0.1', PORT: '0' },
    output: (text) => (written += text),
    signal: new AbortController().signal,
  });
  expect(isAlive(pid)).toBe(true);
  await eventually('it reports its port', () => written.includes('fixture on 0'));
  await stop();
  expect(isAlive(pid)).toBe(false);
});

test('a service that exits before it is ready fails the launch, with its exit code', async () => {
  const launching = launchService({
    entry,
    env: { FIXTURE: 'fails' },
    output: () => undefined,
    signal: new AbortController().signal,
  });
  await expect(launching).rejects.toThrow('it ended (exit code 3) before it was ready');
});

test('a start that is aborted before it begins starts no process', async () => {
  let written = '';
  const launching = launchService({
    entry,
    env: { HOST: '127.0.0.1', PORT: '0' },
    output: (text) => (written += text),
    signal: AbortSignal.abort(),
  });
  await expect(launching).rejects.toThrow('aborted');
  expect(written).toBe('');
});
