import type { Page } from 'playwright-core';
import { hold } from './hold.ts';

/**
 * Makes a page send a change to an address, and holds it and those after it. Resolves once it is sent, with what lets them
 * through.
 */
export const sendHeld = async (
  page: Page,
  address: string,
  send: () => Promise<void>,
): Promise<() => void> => {
  const held = await hold(page, address, (request) => request.method() !== 'GET');
  await send();
  await held.sent();
  return held.release;
};
