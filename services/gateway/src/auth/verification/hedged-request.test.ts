import { describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { hedgedRequest } from './hedged-request.ts';

/** Answers, fails or stays silent for ever, turn by turn. */
const asking = (...turns: readonly (() => Promise<string>)[]) => {
  let asked = 0;
  const ask = (): Promise<string> => {
    const turn = turns[asked];
    asked += 1;
    return turn ? turn() : Promise.reject(new Error('asked too often'));
  };
  return { ask, asked: () => asked };
};
const says = (answer: string) => () => Promise.resolve(answer);
const fails = (message: string) => () => Promise.reject(new Error(message));
const silent = () => new Promise<string>(() => undefined);

describe('a question', () => {
  it('that is answered is not asked again', async () => {
    const { ask, asked } = asking(says('yes'), says('never'));
    expect(await hedgedRequest(ask)).toBe('yes');
    await sleep(300);
    expect(asked()).toBe(1);
  });

  it('that fails is asked once more at once', async () => {
    const { ask } = asking(fails('closed'), says('yes'));
    jest.useFakeTimers();
    try {
      // No time passes, so that nothing here waited for any.
      expect(await hedgedRequest(ask)).toBe('yes');
    } finally {
      jest.useRealTimers();
    }
  });

  it('that stays open is asked again beside it', async () => {
    const { ask, asked } = asking(silent, says('yes'));
    expect(await hedgedRequest(ask)).toBe('yes');
    expect(asked()).toBe(2);
  });

  it('is answered late rather than not at all', async () => {
    const { ask, asked } = asking(() => sleep(400, 'late'), silent);
    expect(await hedgedRequest(ask)).toBe('late');
    expect(asked()).toBe(2);
  });

  it('fails as the second time it was asked, and is not asked a third time', async () => {
    const { ask, asked } = asking(fails('one'), fails('two'), says('never'));
    await expect(hedgedRequest(ask)).rejects.toThrow('two');
    expect(asked()).toBe(2);
  });
});
