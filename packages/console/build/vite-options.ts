import type { InlineConfig } from 'vite';
import { fetchBeforeImport } from './fetch-before-import.ts';
import { stylesByScript } from './styles-by-script.ts';
import { withoutDocument } from './without-document.ts';
import { withoutInjectedStyles } from './without-injected-styles.ts';
import { withoutTableScroll } from './without-table-scroll.ts';
import { workersFromPlainPath } from './workers-from-plain-path.ts';

const scripts = /\.(?:[cm]?js|tsx?)$/;

/**
 * Modules that most pages share are one file. Otherwise there would be one for each set of pages that share some, and a
 * browser loads six at a time.
 */
const groups = [{ name: 'common', test: scripts, minShareCount: 20 }];

/** The Vite options. Assets are not inlined, because the content security policy forbids `data:` scripts. */
export const viteOptions = ({ root, outDir }: { root: string; outDir: string }): InlineConfig => {
  const { rewriting, cleaning } = workersFromPlainPath(root);
  return {
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      fetchBeforeImport,
      withoutInjectedStyles,
      withoutTableScroll,
      stylesByScript,
      rewriting,
      cleaning,
    ],
    worker: { format: 'es', plugins: () => [withoutDocument, rewriting] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: true,
      rolldownOptions: { output: { codeSplitting: { groups } } },
    },
  };
};
