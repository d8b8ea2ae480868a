import { dirname, relative } from 'node:path';
import type { Plugin } from 'rolldown';

const thread = /new URL\(\s*'(?:[^']*\/)?([^'/]+-worker)\.ts',\s*import\.meta\.url,?\s*\)/g;

type Places = {
  /** The folder of the bundle. */
  readonly folder: string;
  readonly isOurs: (id: string) => boolean;
  /** The names of the threads' programs. */
  readonly threads: ReadonlySet<string>;
};

/**
 * A module of a bundle looks for its files where its source is, because only code is bundled: documents, package.json, the
 * console. Its threads are bundles too, beside it.
 */
export const keepPlaces = ({ folder, isOurs, threads }: Places): Plugin => ({
  name: 'keep-places',
  transform: (code, id) => {
    if (!isOurs(id) || !code.includes('import.meta.')) {
      return null;
    }
    const source = relative(folder, id).replaceAll('\\', '/');
    const isKept = [...code.matchAll(thread)].every(([, name = '']) => threads.has(name));
    if (!isKept || /import\.meta\.(?!url\b|dirname\b)/.test(code)) {
      throw new Error(`${source} finds something by its place in a way that no bundle keeps`);
    }
    return withPlaces(code, source);
  },
});

const withPlaces = (code: string, source: string): string => {
  const here = `new URL(${JSON.stringify(source)}, import.meta.url)`;
  const folder = `process.getBuiltinModule('node:path').join(import.meta.dirname, ${JSON.stringify(dirname(source))})`;
  return code
    .replaceAll(thread, "new URL('./$1.js', import.meta.bundle)")
    .replaceAll('import.meta.dirname', folder)
    .replaceAll('import.meta.url', `${here}.href`)
    .replaceAll('import.meta.bundle', 'import.meta.url');
};
