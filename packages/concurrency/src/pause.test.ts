import { describe, expect, it } from '@jest/globals';
import { pause } from './pause.ts';

describe('pause', () => {
  it('resolves after the time', async () => {
    await expect(pause(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  it('resolves when the signal aborts, or is aborted already', async () => {
    const controller = new AbortController();
    const paused = pause(60_000, controller.signal);
    controller.abort();
    await expect(paused).resolves.toBeUndefined();
    await expect(pause(60_000, controller.signal)).resolves.toBeUndefined();
  });
});
