import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { createEnvironment, problemsOf, removeFolders } from './folder-environment.ts';
import { vaults, type Vault } from './vaults.ts';

afterEach(removeFolders);

/** The files of a folder with their bytes. */
const readVault = async (root: string): Promise<Record<string, string>> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('.commonplace'));
  const files = paths
    .toSorted()
    .map(async (path) => [path, (await readFile(join(root, path))).toString('latin1')] as const);
  return Object.fromEntries(await Promise.all(files));
};

const bytesOf = (vault: Vault): Record<string, string> =>
  Object.fromEntries(
    Object.entries(vault)
      .map(([path, text]) => [path, Buffer.from(text).toString('latin1')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const notesOf = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.md')));

it.each(Object.entries(vaults))(
  'a folder with %s keeps every byte, here, on a second machine, and after an edit on the server',
  async (_, vault) => {
    const { server, root, home, write, syncOnce, agentWrites } = await createEnvironment();
    const second = join(home, 'second');
    for (const [path, text] of Object.entries(vault)) {
      await write(path, text);
    }
    const expected = bytesOf(vault);
    expect(problemsOf(await syncOnce())).toEqual([]);
    await syncOnce(second);
    expect(await readVault(root)).toEqual(expected);
    expect(await readVault(second)).toEqual(notesOf(expected));

    for (const [id, text] of server.activeNotes()) {
      await agentWrites({ ...text, content: `${text.content}\nedited\n` }, id);
    }
    const edited = Object.fromEntries(
      Object.entries(notesOf(expected)).map(([path, text]) => [
        path,
        `${text}${text.endsWith('---') ? '\n' : ''}\nedited\n`,
      ]),
    );
    await syncOnce();
    await syncOnce(second);
    expect(await readVault(root)).toEqual({ ...expected, ...edited });
    expect(await readVault(second)).toEqual(edited);
    for (const folder of [root, second]) {
      const { sent, received, moved } = await syncOnce(folder);
      const none = { created: 0, changed: 0, deleted: 0 };
      expect({ sent, received, moved }).toEqual({ sent: none, received: none, moved: 0 });
    }
  },
);
