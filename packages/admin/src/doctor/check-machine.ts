import { statfs } from 'node:fs/promises';
import { failure, ok, warning, type Finding } from '@commonplace/checks';
import { databaseFolder } from '@commonplace/standalone/database-folder';
import type { Deployment } from './deployment.ts';

const freeGigabytesMin = 2;

type Space = { readonly bavail: number; readonly bsize: number };

/** Checks the version of Node, and the free space where the database is. */
export const checkMachine = async (
  { env }: Pick<Deployment, 'env'>,
  spaceOf: (folder: string) => Promise<Space> = statfs,
): Promise<Finding[]> => {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const dataDir = env['DATA_DIR'] ?? '.';
  const folder = (await databaseFolder(dataDir)) ?? dataDir;
  const { bavail, bsize } = await spaceOf(folder).catch(() => spaceOf('.'));
  const gigabytes = Math.floor((bavail * bsize) / 1e9);
  return [
    major === 24
      ? ok('Node', process.versions.node)
      : failure('Node', process.versions.node, 'Run it with pnpm, which brings Node 24.'),
    gigabytes >= freeGigabytesMin
      ? ok('disk', `${gigabytes} GB free`)
      : warning(
          'disk',
          `${gigabytes} GB free`,
          'Free some space: PostgreSQL stops on a full disk.',
        ),
  ];
};
