const secondTryMs = 1_000;

/**
 * Applies the stylesheets that the page preloads, and resolves when they are applied. One that does not arrive is
 * requested once more; without it, which is what an outage leads to, the page is only plain.
 */
export const loadStyles = async (): Promise<void> => {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="style"]');
  await Promise.all([...links].map(applyStyles));
};

const applyStyles = async (preload: HTMLLinkElement): Promise<void> => {
  const first = asStylesheet(preload);
  if (!(await isApplied(preload, first))) {
    await new Promise((resolve) => setTimeout(resolve, secondTryMs));
    await isApplied(first, asStylesheet(first));
  }
};

/** A new element: the `load` of the preload may still be waiting, and would be taken for that of the stylesheet. */
const asStylesheet = (link: HTMLLinkElement): HTMLLinkElement => {
  const stylesheet = document.createElement('link');
  for (const { name, value } of link.attributes) {
    stylesheet.setAttribute(name, value);
  }
  stylesheet.removeAttribute('as');
  stylesheet.rel = 'stylesheet';
  return stylesheet;
};

/** Puts the stylesheet in the place of `before`, so that the order of all stays, and waits for it. */
const isApplied = (before: HTMLLinkElement, stylesheet: HTMLLinkElement): Promise<boolean> =>
  new Promise((resolve) => {
    stylesheet.addEventListener('load', () => resolve(true));
    stylesheet.addEventListener('error', () => resolve(false));
    before.replaceWith(stylesheet);
  });
