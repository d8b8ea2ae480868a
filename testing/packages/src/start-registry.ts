import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@commonplace/embedded-postgres';
import { run } from './run.ts';

const tools = join(import.meta.dirname, '../tools');

/** A registry on this machine. */
export type Registry = {
  readonly url: string;
  /** A configuration of npm that uses it. */
  readonly npmrc: string;
  /** Publishes a package. */
  readonly publish: (tarball: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts Verdaccio. It has our packages, and gets all others from the registry that npm is set up for. */
export const startRegistry = async (folder: string): Promise<Registry> => {
  const install = ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'];
  await run('npx', install, { folder: tools });
  await mkdir(folder, { recursive: true });
  const upstream = (await run('npm', ['config', 'get', 'registry'], { folder })).trim();
  const config = join(folder, 'config.yaml');
  await writeFile(config, JSON.stringify(configuration(folder, upstream)));
  const port = await findFreePort();
  const program = join(tools, 'node_modules/verdaccio/bin/verdaccio');
  const child = spawn(
    process.execPath,
    [program, '--config', config, '--listen', `127.0.0.1:${port}`],
    { cwd: folder, stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}/`;
  const npmrc = join(folder, 'npmrc');
  // npm publishes only with a token; the registry accepts everyone's.
  await writeFile(npmrc, `registry=${url}\n//127.0.0.1:${port}/:_authToken=anyone\n`);
  await untilReady(url);
  return {
    url,
    npmrc,
    publish: (tarball) => publish(tarball, npmrc, folder),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

/** JSON is YAML. */
const configuration = (folder: string, upstream: string) => ({
  storage: join(folder, 'storage'),
  auth: { htpasswd: { file: join(folder, 'htpasswd') } },
  uplinks: { upstream: { url: upstream } },
  packages: {
    '@commonplace/*': { access: '$all', publish: '$all' },
    commonplace: { access: '$all', publish: '$all' },
    '**': { access: '$all', proxy: 'upstream' },
  },
  log: { type: 'stdout', level: 'error' },
});

const untilReady = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isUp = await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) {
      return;
    }
    await sleep(200);
  }
  throw new Error('The registry did not start within a minute.');
};

/** The packages are private, so that nobody publishes them by mistake; here that is lifted. */
const publish = async (tarball: string, npmrc: string, parent: string): Promise<void> => {
  const folder = join(parent, `unpacked-${Date.now()}`);
  await mkdir(folder);
  await run('tar', ['xzf', tarball, '--strip-components=1'], { folder });
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { private?: boolean };
  delete manifest.private;
  await writeFile(file, JSON.stringify(manifest));
  await run('npm', ['publish', '--userconfig', npmrc, '--access', 'public'], { folder });
};
