import type { Plugin } from 'vite';

/**
 * The page only preloads its stylesheet, because a stylesheet in the head blocks the first paint, and one in the body
 * comes after the variables that Mantine's provider sets. `src/app/shell/load-styles.ts` applies it before anything is rendered.
 */
export const stylesByScript: Plugin = {
  name: 'styles-by-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replaceAll('<link rel="stylesheet"', '<link rel="preload" as="style"'),
  },
};
