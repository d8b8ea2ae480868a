import { writeFile } from 'node:fs/promises';

/** Settings of a process in a file, which it reads when it starts. */
export type SettingsFile = {
  /** The variable by which a process reads them. */
  readonly env: { readonly NODE_OPTIONS: string };
  readonly write: (settings: Readonly<Record<string, string>>) => Promise<void>;
};

/** Creates a file of settings; those that are absent are as the process has them otherwise. */
export const makeSettingsFile = async (path: string): Promise<SettingsFile> => {
  const module = new URL('./settings-of-file.mjs', import.meta.url);
  module.search = encodeURIComponent(path);
  const write: SettingsFile['write'] = (settings) => writeFile(path, JSON.stringify(settings));
  await write({});
  return { env: { NODE_OPTIONS: `--import=${module.href}` }, write };
};
