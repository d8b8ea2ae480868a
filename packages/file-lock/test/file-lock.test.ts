import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LockedError, readHolder, takeFileLock, wasLockAbandoned } from '../src/index.ts';

let folder: string;
let path: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-lock-'));
  path = join(folder, 'lock');
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
  await rm(folder, { recursive: true, force: true });
});

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
};

type Starter = { readonly child: ChildProcess; readonly take: () => Promise<string> };

/** A process that stands ready to take the lock. */
const startProcess = async (): Promise<Starter> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hold-lock-main.ts'), path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  await next();
  return {
    child,
    take: () => {
      child.stdin.write('go\n');
      return next();
    },
  };
};

describe('a lock', () => {
  it('whose holder was killed is taken by exactly one of four that try at once, every time', async () => {
    let holder = await startProcess();
    expect(await holder.take()).toBe('held');
    let others = await Promise.all(Array.from({ length: 3 }, startProcess));
    for (let round = 0; round < 12; round += 1) {
      const [next] = await Promise.all([startProcess(), kill(holder.child)]);
      const starters = [...others, next];
      const results = await Promise.all(starters.map(({ take }) => take()));
      expect(results.toSorted()).toEqual(['held', 'refused', 'refused', 'refused']);
      holder = starters[results.indexOf('held')] ?? next;
      others = starters.filter((starter) => starter !== holder);
      expect(await readHolder(path)).toBe(holder.child.pid);
    }
  }, 120_000);

  it('is taken by one at most while its holder is being killed, and by one afterwards', async () => {
    let holder = await startProcess();
    expect(await holder.take()).toBe('held');
    let others = await Promise.all(Array.from({ length: 3 }, startProcess));
    for (let round = 0; round < 6; round += 1) {
      const next = await startProcess();
      const starters = [...others, next];
      const taking = Promise.all(starters.map(({ take }) => take()));
      await kill(holder.child);
      const holders = (await taking).flatMap((result, at) =>
        result === 'held' ? [starters[at] ?? next] : [],
      );
      expect(holders.length).toBeLessThanOrEqual(1);
      holder = holders[0] ?? next;
      expect(holders.length === 1 || (await next.take()) === 'held').toBe(true);
      others = starters.filter((starter) => starter !== holder);
    }
  }, 120_000);

  it('is free again when it is released, and names its holder until then', async () => {
    const unlock = await takeFileLock(path);
    expect(await readHolder(path)).toBe(process.pid);
    const { take } = await startProcess();
    expect(await take()).toBe('refused');
    await expect(takeFileLock(path)).rejects.toMatchObject({ holder: process.pid });
    await unlock();
    expect([await readHolder(path), await wasLockAbandoned(path)]).toEqual([null, false]);
    expect(await take()).toBe('held');
  });

  it('was abandoned when its holder was killed, and not while it lives', async () => {
    const { child, take } = await startProcess();
    expect(await take()).toBe('held');
    expect(await wasLockAbandoned(path)).toBe(false);
    await kill(child);
    expect(await wasLockAbandoned(path)).toBe(true);
  });

  it('of a running process that locked with the file alone, as earlier releases did, is respected', async () => {
    const { child, take } = await startProcess();
    expect(await take()).toBe('held');
    const text = await readFile(path, 'utf8');
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, text);
    await expect(takeFileLock(elsewhere)).rejects.toThrow(LockedError);
    await kill(child);
    await (
      await takeFileLock(elsewhere)
    )();
  });
});
