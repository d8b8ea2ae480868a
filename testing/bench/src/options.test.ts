import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';

const known = ['read', 'put'];

describe('the options of pnpm bench', () => {
  it('name measurements to run', () => {
    expect(readOptions(['--quick', '--only', 'read', '--only', 'put'], known)).toMatchObject({
      isQuick: true,
      only: ['read', 'put'],
    });
  });

  it('are printed on --help', () => {
    const help = readOptions(['--help'], known);
    expect(help).toMatchObject({ isWanted: true });
    expect(help).toHaveProperty('help', expect.stringContaining('Measurements: read, put'));
  });

  it.each([['--onyl'], ['--only', 'raed'], ['read'], ['--json']])(
    'are printed after what is wrong with %s %s',
    (...args) => {
      const help = readOptions(args, known);
      expect(help).toMatchObject({ isWanted: false });
      expect(help).toHaveProperty('help', expect.stringMatching(/^[^]+\n\nUsage: pnpm bench/));
    },
  );
});
