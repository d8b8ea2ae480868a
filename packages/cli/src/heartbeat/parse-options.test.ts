import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './parse-options.ts';

const agentId = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the arguments of a heartbeat', () => {
  it('are options, then a command whose own options are left alone', () => {
    const args = `--agent ${agentId} --every 5m --reserve-cents 500 --ttl-seconds 60 -- run --agent x -- y`;
    expect(parseOptions(args.split(' '))).toEqual({
      agentId,
      command: ['run', '--agent', 'x', '--', 'y'],
      everyMs: 300_000,
      reserveCents: 500,
      ttlSeconds: 60,
    });
  });

  it('may ask for help without being complete, but not behind --', () => {
    expect(parseOptions(['--help'])).toBe('help');
    expect(parseOptions(['--agent', agentId, '--', 'ls', '--help'])).not.toBe('help');
  });

  it('are refused with all that is wrong with them at once', () => {
    expect(() => parseOptions(['--every=0s', '--reserve-cents=1.5', '--ttl-seconds=5'])).toThrow(
      /--agent <id> is missing\n--every must[^]*--reserve-cents must[^]*--ttl-seconds [^]*no command/,
    );
  });

  it.each([
    ['words', 'Unexpected argument'],
    ['--key=cpk_1', "Unknown option '--key'"],
    ['--agent=Ada', '--agent must be a UUID'],
  ])('know no %s', (word, problem) => {
    expect(() => parseOptions(['--agent', agentId, word, '--', 'ls'])).toThrow(problem);
  });
});
