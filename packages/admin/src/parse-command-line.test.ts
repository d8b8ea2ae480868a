import { describe, expect, it } from '@jest/globals';
import { doctor } from './commands/doctor.ts';
import { restore } from './commands/restore.ts';
import { parseCommandLine } from './parse-command-line.ts';

describe('the command line of the administrator', () => {
  it('has options and arguments', () => {
    expect(parseCommandLine(restore, ['file', '--force'])).toMatchObject({
      options: { force: true, adopt: false },
      args: ['file'],
    });
  });

  it.each([
    [['--url', 'http://a', '--url', 'http://b'], '--url is given more than once'],
    [['--url=http://a', '--json', '--url=http://b'], '--url is given more than once'],
    [['--frob'], 'Unknown option'],
    [['one'], 'too many arguments'],
  ])('of which nothing is dropped: %j is refused', (args, text) => {
    expect(() => parseCommandLine(doctor, args)).toThrow(text);
  });
});
