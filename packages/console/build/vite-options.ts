import type { InlineConfig } from 'vite';
import { withoutInjectedStyles } from './without-injected-styles.ts';

/** How Vite builds the console. Inlined assets would be `data:` scripts, which the policy forbids. */
export const viteOptions = ({ root, outDir }: { root: string; outDir: string }): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'error',
  plugins: [withoutInjectedStyles],
  // Modules that a worker loads, too, must not ask for a document.
  resolve: { conditions: ['worker', 'module', 'browser', 'development|production'] },
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
