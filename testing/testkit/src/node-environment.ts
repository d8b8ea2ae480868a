/** Where Node keeps compiled code, if this run has such a folder: a program then starts in half the time. */
export const compileCacheVariables = (): Readonly<Record<string, string>> => {
  // oxlint-disable-next-line node/no-process-env -- the folder that `pnpm test` names
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
};

/** What a program needs to start: nothing else of the environment of the tests reaches it. */
export const nodeEnvironment = (): Readonly<Record<string, string>> => ({
  // oxlint-disable-next-line node/no-process-env -- where the tests find programs, programs under test do too
  PATH: process.env['PATH'] ?? '',
  ...compileCacheVariables(),
});
