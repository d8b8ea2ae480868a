import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

const workerUrl = /(?<=new URL\(')[\w-]+\.ts(?=', import\.meta\.url\))/;

/**
 * Vite takes `#` and `?` in the path of a worker for the end of the path, so that a console below such a folder cannot be
 * built. There, `rewriting` builds each worker from a temporary file that imports it, and `cleaning` removes these files
 * at the end. Workers load workers, so their builds need `rewriting` too. Elsewhere they do nothing.
 */
export const workersFromPlainPath = (root: string): { rewriting: Plugin; cleaning: Plugin } => {
  let folder: Promise<string> | undefined;
  const rewriting: Plugin = {
    name: 'workers-from-plain-path',
    // Runs before the plugin of Vite that builds workers.
    enforce: 'pre',
    async transform(code, id) {
      const [name] = /[#?]/.test(root) ? (workerUrl.exec(code) ?? []) : [];
      if (name === undefined) {
        return null;
      }
      folder ??= mkdtemp(join(tmpdir(), 'commonplace-workers-'));
      const entry = join(await folder, name);
      await writeFile(entry, `import ${JSON.stringify(resolve(dirname(id), name))};\n`);
      return { code: code.replace(name, relative(dirname(id), entry)), map: null };
    },
  };
  const cleaning: Plugin = {
    name: 'without-plain-paths',
    async closeBundle() {
      await (folder && rm(await folder, { recursive: true, force: true }));
    },
  };
  return { rewriting, cleaning };
};
