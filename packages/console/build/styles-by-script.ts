import type { Plugin } from 'vite';

const stylesheet = '<link rel="stylesheet"';

/**
 * The page only preloads its stylesheet, because a stylesheet in the head blocks the first paint, and one in the body
 * comes after the variables that Mantine's provider sets. `src/app/shell/load-styles.ts` applies it before anything is rendered.
 */
export const stylesByScript: Plugin = {
  name: 'styles-by-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const hasStyles = Object.keys(bundle).some((name) => name.endsWith('.css'));
      if (hasStyles && !html.includes(stylesheet)) {
        this.error('Vite no longer links the stylesheet of the page in the expected way.');
      }
      return html.replaceAll(stylesheet, '<link rel="preload" as="style"');
    },
  },
};
