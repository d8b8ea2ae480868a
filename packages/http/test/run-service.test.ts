import { expect, it, jest } from '@jest/globals';
import type { Process } from '../src/run-process.ts';

const started: Process[] = [];
jest.unstable_mockModule('../src/run-process.ts', () => ({
  runProcess: async (options: Process) => void started.push(options),
}));
const { runService } = await import('../src/run-service.ts');

const serviceWith = (synchronise: () => Promise<void>) =>
  ({
    name: 'notes',
    config: {},
    log: {},
    databases: [{ pool: {}, clock: { synchronise }, close: async () => undefined }],
    createApp: () => () => undefined,
  }) as unknown as Parameters<typeof runService>[0];

it.each<[string, () => Promise<void>]>([
  ['hangs', () => new Promise(() => undefined)],
  ['is unavailable', () => Promise.reject(new Error('The database is unavailable'))],
  ['responds', () => Promise.resolve()],
])('a service starts while its database %s', async (_, synchronise) => {
  const before = started.length;
  await runService(serviceWith(synchronise));
  expect(started).toHaveLength(before + 1);
});
