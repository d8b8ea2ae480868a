import type { InlineConfig } from 'vite';
import { fetchBeforeImport } from './fetch-before-import.ts';
import { withoutDocument } from './without-document.ts';
import { withoutInjectedStyles } from './without-injected-styles.ts';
import { withoutTableScroll } from './without-table-scroll.ts';
import { workersFromPlainPath } from './workers-from-plain-path.ts';

/** The Vite options. Assets are not inlined, because the content security policy forbids `data:` scripts. */
export const viteOptions = ({ root, outDir }: { root: string; outDir: string }): InlineConfig => {
  const { rewriting, cleaning } = workersFromPlainPath(root);
  return {
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [fetchBeforeImport, withoutInjectedStyles, withoutTableScroll, rewriting, cleaning],
    worker: { format: 'es', plugins: () => [withoutDocument, rewriting] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: true,
    },
  };
};
