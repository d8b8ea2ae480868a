import { runOrThrow } from './run-or-throw.ts';

/** Checks a tarball with publint and Are the types wrong. */
export const checkTarball = async (tarball: string, folder: string): Promise<void> => {
  await runOrThrow('publint', ['run', tarball, '--strict'], folder);
  // CommonJS loads ES modules with import(), and resolution as of Node 10 is past.
  await runOrThrow('attw', [tarball, '--profile', 'esm-only'], folder);
};
