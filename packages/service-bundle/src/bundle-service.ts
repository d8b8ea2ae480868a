import { existsSync, globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundlesFolder, readRecord, recordFiles, recordName } from './bundle-record.ts';
import { keepPlaces } from './keep-places.ts';

/** Compiled code, which its package finds by its own place. */
const external = ['bcrypt'];

type BundledService = {
  /** The folder of our sources. */
  readonly root: string;
  /** The folder of the service in it. */
  readonly serviceDir: string;
};

/** Who installs and who runs the service may be two users. */
const readableByAll = 0o755;

/**
 * Makes one program of a service and of everything that it imports, beside those of its threads. Loading a thousand modules is
 * two thirds of what a start costs, and each keeps memory (docs/adr/0076).
 */
export const bundleService = async ({ root, serviceDir }: BundledService): Promise<void> => {
  const bundles = join(serviceDir, bundlesFolder);
  await mkdir(bundles, { recursive: true });
  const former = await readRecord(serviceDir);
  const folder = await mkdtemp(join(bundles, 'b-'));
  try {
    const startedAtMs = Date.now();
    const modules = await bundle(serviceDir, folder);
    const sources = [
      ...modules,
      ...new Set(modules.map(manifestOf)),
      ...globSync(join(import.meta.dirname, '*.ts')),
      join(root, 'pnpm-lock.yaml'),
    ];
    const files = await recordFiles(serviceDir, sources, startedAtMs);
    const record = { folder: basename(folder), files };
    await chmod(folder, readableByAll);
    await writeFile(join(folder, recordName), JSON.stringify(record, null, 1));
    await rename(join(folder, recordName), join(bundles, recordName));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  await removeOthers(bundles, new Set([recordName, basename(folder), former?.folder]));
};

/** A process of the former bundle that runs now may load something of it later. */
const removeOthers = async (bundles: string, kept: ReadonlySet<string | undefined>) => {
  for (const name of await readdir(bundles)) {
    if (!kept.has(name)) {
      await rm(join(bundles, name), { recursive: true, force: true });
    }
  }
};

/** The package.json of the package of a module, which says what others may import of it. */
const manifestOf = (path: string): string => {
  let folder = dirname(path);
  while (!existsSync(join(folder, 'package.json'))) {
    folder = dirname(folder);
  }
  return join(folder, 'package.json');
};

/** Writes a bundle, and returns the paths of our modules in it. */
const bundle = async (serviceDir: string, dir: string): Promise<readonly string[]> => {
  const threads = globSync(join(serviceDir, 'src/**/*-worker.ts'));
  const input = Object.fromEntries(
    [join(serviceDir, 'src/main.ts'), ...threads].map((path) => [basename(path, '.ts'), path]),
  );
  const build = await rolldown({
    input,
    platform: 'node',
    external,
    plugins: [keepPlaces({ folder: dir, isOurs, threads: new Set(Object.keys(input)) })],
    // Dependencies have code that bundlers warn of, as that which feels for what is installed.
    logLevel: 'silent',
  });
  try {
    const { output } = await build.write({
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      // For `node --enable-source-maps` and profiles, which find the sources beside the bundle.
      sourcemap: true,
      sourcemapExcludeSources: true,
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    const chunks = output.filter((each) => each.type === 'chunk');
    return [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds).filter(isOurs))];
  } finally {
    await build.close();
  }
};

/** Dependencies are as they are until the next installation, which bundles again. What the bundler adds has no path. */
const isOurs = (id: string): boolean =>
  isAbsolute(id) && !id.replaceAll('\\', '/').includes('/node_modules/');
