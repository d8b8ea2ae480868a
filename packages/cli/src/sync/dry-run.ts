import { readEdits } from './read-edits.ts';
import type { Folder } from './folder.ts';

/** What a synchronisation would do with the files, one line each. Nothing is written or sent. */
export const dryRun = async ({ paths, state }: Folder): Promise<string[]> => {
  const files = new Map(state.files);
  const { edits, problems, vanished } = await readEdits(
    paths.root,
    { ...state, files },
    () => null,
  );
  const lines = [
    ...edits.map(({ kind, path }) => `would send: ${path} (${kind})`),
    ...vanished.map((path) => `is gone: ${path}`),
    ...problems.map(({ path, problem }) => `would leave alone: ${path}: ${problem}`),
  ];
  return lines.length > 0 ? lines : ['nothing to send'];
};
