import type { InlineConfig } from 'vite';
import { beginEarly } from './begin-early.ts';
import { chunkGroups } from './chunk-groups.ts';
import { fetchBeforeImport } from './fetch-before-import.ts';
import type { Users } from './find-users.ts';
import { stylesByScript } from './styles-by-script.ts';
import { withoutDocument } from './without-document.ts';
import { withoutInjectedStyles } from './without-injected-styles.ts';
import { withoutTableScroll } from './without-table-scroll.ts';
import { workersFromPlainPath } from './workers-from-plain-path.ts';

type Place = { readonly root: string; readonly outDir: string };

/** The Vite options. Assets are not inlined, because the content security policy forbids `data:` scripts. */
export const viteOptions = ({ root, outDir }: Place, users?: Users): InlineConfig => {
  const { rewriting, cleaning } = workersFromPlainPath(root);
  return {
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      beginEarly(root),
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
      // What is sent to browsers has code and a font of others, whose licences have to go with it.
      license: { fileName: 'licenses.txt' },
      rolldownOptions: {
        output: { codeSplitting: users ? { groups: chunkGroups(users) } : true },
      },
    },
  };
};
