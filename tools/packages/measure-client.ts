import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsdown';

/** Returns the bytes of the client, minified with its dependencies, as a page in a browser would load it. */
export const measureClient = async (packageFolder: string): Promise<number> => {
  const outDir = await mkdtemp(join(tmpdir(), 'commonplace-client-'));
  try {
    await build({
      cwd: packageFolder,
      config: false,
      entry: 'src/index.ts',
      platform: 'browser',
      outDir,
      dts: false,
      minify: true,
      deps: { alwaysBundle: [/./] },
      logLevel: 'warn',
    });
    const files = await readdir(outDir);
    const sizes = await Promise.all(
      files.map(async (file) => (await stat(join(outDir, file))).size),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  } finally {
    await rm(outDir, { recursive: true });
  }
};
