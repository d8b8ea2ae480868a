/**
 * Applies the stylesheets that the page preloads, and resolves when they are applied. Without them, which is what an
 * outage leads to, the page is only plain.
 */
export const loadStyles = async (): Promise<void> => {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="style"]');
  await Promise.all([...links].map(applyStyles));
};

const applyStyles = (link: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
    link.rel = 'stylesheet';
  });
