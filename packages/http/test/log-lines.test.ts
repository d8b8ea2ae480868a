import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';

const createLogUrl = new URL('../src/logging/create-log.ts', import.meta.url).href;

/** What a process of its own that logs by this program leaves on stderr, line by line. */
const linesOf = async (program: string): Promise<string[]> => {
  const source = `const { createLog } = await import(${JSON.stringify(createLogUrl)});
    const log = createLog('test', 'info');
    const say = (count) => { for (let no = 0; no < count; no += 1) log.info({ no, at: 'ä'.repeat(no % 90) }, 'said'); };
    ${program}`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', source];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return said.split('\n').filter((line) => line.startsWith('{'));
};

const numbersOf = (lines: readonly string[]): number[] =>
  lines.map((line) => (JSON.parse(line) as { readonly no: number }).no);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, no) => no);

describe('log lines', () => {
  it.each([
    ['ends at once', 'say(1_000); process.exit(0);', 1_000],
    ['fails', 'say(1_000); throw new Error("planted");', 1_000],
    ['says only little', 'say(1); setTimeout(() => process.exit(0), 20);', 1],
  ])('are all written by a process that %s', async (_, program, count) => {
    const numbers = numbersOf(await linesOf(program));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(upTo(count));
  });

  it('are all written, in order, by a process that comes to its end', async () => {
    expect(numbersOf(await linesOf('say(1_000);'))).toEqual(upTo(1_000));
  });

  it('leave within a second of a process that goes on, many or few', async () => {
    const program = (count: number) =>
      `say(${count}); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_000);`;
    expect(numbersOf(await linesOf(program(3)))).toEqual(upTo(3));
    expect(numbersOf(await linesOf(program(777)))).toEqual(upTo(777));
  });

  it('leave at once when one is fatal', async () => {
    const program = "say(2); log.fatal({ no: 2 }, 'over'); process.kill(process.pid, 'SIGKILL');";
    for (let round = 0; round < 10; round += 1) {
      expect(numbersOf(await linesOf(program))).toEqual(upTo(3));
    }
  });

  it('are written, in order, by a process that speaks, goes on and ends as it speaks again', async () => {
    const program = 'say(150); setTimeout(() => { say(3); process.exit(0); }, 150);';
    expect(numbersOf(await linesOf(program))).toEqual([...upTo(150), ...upTo(3)]);
  });

  it('that are written as a process comes to its end do not keep it from ending', async () => {
    const program = "let no = 0; process.on('beforeExit', () => { log.info({ no }); no += 1; });";
    expect(numbersOf(await linesOf(program))).toEqual([0]);
  });
});
