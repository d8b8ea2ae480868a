import { digestFiles } from './digest-files.ts';

/** The inputs of the bundle. The versions of its dependencies are in the catalog. */
const sources = [
  'index.html',
  'public',
  'src',
  'build',
  'package.json',
  '../client/src',
  '../merge/src',
  '../note-files/src',
  '../../pnpm-workspace.yaml',
];

/** The SHA-256 of all inputs of the console. */
export const digestSources = (packageDir: string): Promise<string> =>
  digestFiles(packageDir, sources);
