import type { InlineConfig } from 'vite';
import { withoutDocument } from './without-document.ts';
import { withoutInjectedStyles } from './without-injected-styles.ts';
import { withoutTableScroll } from './without-table-scroll.ts';

/** The Vite options. Assets are not inlined, because the content security policy forbids `data:` scripts. */
export const viteOptions = ({ root, outDir }: { root: string; outDir: string }): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'error',
  plugins: [withoutInjectedStyles, withoutTableScroll],
  worker: { format: 'es', plugins: () => [withoutDocument] },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
