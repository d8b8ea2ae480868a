import { setTimeout as sleep } from 'node:timers/promises';
import { stopWithWorker } from '@commonplace/testkit/stop-with-worker';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { startTestSystem, type TestSystem } from './test-system.ts';

// Only `of-worker.ts` loads this module, so that Node evaluates it once for all test files of a worker.

type Kept<Thing> = {
  readonly start: () => Promise<Thing>;
  readonly isUsable: (thing: Thing) => boolean | Promise<boolean>;
  readonly stop: (thing: Thing) => Promise<void>;
};

/** What is started when it is first needed, and replaced if a test has broken it. */
const keep = <Thing>({ start, isUsable, stop }: Kept<Thing>) => {
  let kept: Thing | undefined;
  let isStoppedAtEnd = false;
  const stopKept = async (): Promise<void> => {
    const thing = kept;
    kept = undefined;
    await (thing && stop(thing));
  };
  return async (): Promise<Thing> => {
    if (kept !== undefined && !(await isUsable(kept))) {
      await stopKept().catch((error: unknown) => process.emitWarning(String(error)));
    }
    if (!isStoppedAtEnd) {
      isStoppedAtEnd = true;
      stopWithWorker(() => {
        isStoppedAtEnd = false;
        return stopKept();
      });
    }
    return (kept ??= await start());
  };
};

/** The pages of a file are in contexts of their own, which it closes. */
export const browserOfWorker = keep<Browser>({
  start: () => startBrowser(),
  isUsable: (browser) => browser.isConnected(),
  stop: (browser) => browser.close(),
});

/** A system in authenticated mode. `makeAdministrator` gives a file an operator of its own. */
export const systemOfWorker = keep<TestSystem>({
  start: () => startTestSystem('authenticated'),
  isUsable: (system) => becomesReady(system),
  stop: (system) => system.stop(),
});

const readyMsMax = 20_000;
const pauseMs = 100;

/** A gateway that a test killed is started again. */
const becomesReady = async ({ baseUrl, system }: TestSystem): Promise<boolean> => {
  for (const giveUpAt = Date.now() + readyMsMax; Date.now() < giveUpAt; await sleep(pauseMs)) {
    const isReady = await fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady && system.processes.every(({ pid }) => pid !== null)) {
      return true;
    }
  }
  return false;
};
