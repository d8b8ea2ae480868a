import type { InlineConfig } from 'vite';
import { withoutDocument } from './without-document.ts';
import { withoutInjectedStyles } from './without-injected-styles.ts';

/** How Vite builds the console. Inlined assets would be `data:` scripts, which the policy forbids. */
export const viteOptions = ({ root, outDir }: { root: string; outDir: string }): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'error',
  plugins: [withoutInjectedStyles],
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
