import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './parse-options.ts';

const agentId = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the arguments of a heartbeat', () => {
  it('are options, followed by a command whose own options are not parsed', () => {
    const args = `--agent ${agentId} --every 5m --reserve-cents 500 --ttl-seconds 60 --scopes notes:read,runs:write -- run --agent x -- y`;
    expect(parseOptions(args.split(' '))).toEqual({
      agentId,
      command: ['run', '--agent', 'x', '--', 'y'],
      everyMs: 300_000,
      reserveCents: 500,
      ttlSeconds: 60,
      scopes: ['notes:read', 'runs:write'],
      isJson: false,
    });
  });

  it('name folders, some of them for reading only', () => {
    const args = ['--agent', agentId, '--grants', 'sales,a/b:read,/', '--', 'ls'];
    expect(parseOptions(args).grants).toEqual([
      { folder: 'sales', scope: 'any', mode: 'direct' },
      { folder: 'a/b', scope: 'read', mode: 'direct' },
      { folder: '/', scope: 'any', mode: 'direct' },
    ]);
  });

  it('are rejected with all their problems at once', () => {
    expect(() => parseOptions(['--every=0s', '--reserve-cents=1.5', '--ttl-seconds=5'])).toThrow(
      /--agent <id> is missing\n--every must[^]*--reserve-cents must[^]*--ttl-seconds [^]*no command/,
    );
  });

  it('cannot name an agent by its name', () => {
    expect(() => parseOptions(['--agent=Ada', '--', 'ls'])).toThrow('--agent must be a UUID');
  });

  it.each([
    ['extra', 'unexpected argument'],
    ['--key=cpk_1', 'unknown option --key'],
    ['--agent=Ada', '--agent is given more than once'],
    ['--scopes=notes:read,all', '--scopes must be scopes separated by commas, of notes:read'],
    ['--scopes=,', '--scopes must be scopes'],
    ['--every=', '--every is empty'],
    ['--grants=a//b', '--grants must be folders separated by commas: must be a folder'],
  ])('cannot be %s', (word, problem) => {
    expect(() => parseOptions(['--agent', agentId, word, '--', 'ls'])).toThrow(problem);
  });
});

describe('--every', () => {
  it.each([
    ['1s', 1_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseOptions(['--agent', agentId, '--every', text, '--', 'ls'])).toMatchObject({
      everyMs: ms,
    });
  });

  it.each(['5', 'm', '0s', '-5m', '1.5h', '5 m', '5M', '25d', '5m5s'])('rejects %p', (text) => {
    expect(() => parseOptions(['--agent', agentId, `--every=${text}`, '--', 'ls'])).toThrow(
      '--every must be a duration',
    );
  });
});
