import type { Page } from 'playwright-core';

const selector = '[role="status"], [role="alert"], [role="log"], [aria-live="polite"]';

/**
 * Notes of a page, from its next document on, what screen readers say by themselves: what changes in a live region that was
 * there before, and alerts. Returns a function that reads what was said since the last call.
 */
export const listen = async (page: Page): Promise<() => Promise<readonly string[]>> => {
  await page.addInitScript((regions) => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    const known = new WeakSet<Element>();
    const texts = new WeakMap<Element, string>();
    const read = (region: Element): void => {
      const text = (region.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
      if (text !== '' && text !== texts.get(region)) {
        said.push(text);
      }
      texts.set(region, text);
    };
    const add = (region: Element): void => {
      if (region.getAttribute('role') === 'alert') {
        read(region);
      }
      texts.set(region, (region.textContent ?? '').replaceAll(/\s+/g, ' ').trim());
      // Only later it is one that was there before.
      setTimeout(() => known.add(region));
    };
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(regions);
        if (region && known.has(region)) {
          read(region);
        }
        for (const added of addedNodes) {
          if (added instanceof Element) {
            [added, ...added.querySelectorAll('*')]
              .filter((each) => each.matches(regions))
              .forEach(add);
          }
        }
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, selector);
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said.splice(0));
};
