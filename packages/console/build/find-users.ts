import type * as Vite from 'vite';

type Output = Extract<
  Awaited<ReturnType<typeof Vite.build>>,
  { readonly output: unknown }
>['output'];
type Chunk = Extract<Output[number], { readonly type: 'chunk' }>;

/** By module, the names of the entries that need it before they can run: the document, pages, and parts on demand. */
export type Users = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Builds once, without writing it, to learn what uses what. Imports do not say it: most go through a package that
 * exports hundreds of modules, and what is unused is only removed by the build.
 */
export const findUsers = async (
  vite: Pick<typeof Vite, 'build'>,
  options: Vite.InlineConfig,
): Promise<Users> => {
  const result = await vite.build({
    ...options,
    build: { ...options.build, write: false, minify: false },
  });
  if (!('output' in result)) {
    throw new Error('Vite built something other than one bundle.');
  }
  const chunks = result.output.filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const users = new Map<string, Set<string>>();
  for (const entry of chunks.filter(({ isEntry, isDynamicEntry }) => isEntry || isDynamicEntry)) {
    for (const { moduleIds } of neededBy(entry, byName)) {
      for (const id of moduleIds) {
        users.set(id, (users.get(id) ?? new Set()).add(entry.name));
      }
    }
  }
  return users;
};

/** A chunk and all that it imports. */
const neededBy = (entry: Chunk, byName: ReadonlyMap<string, Chunk>): ReadonlySet<Chunk> => {
  const found = new Set<Chunk>();
  const add = (chunk: Chunk | undefined): void => {
    if (chunk && !found.has(chunk)) {
      found.add(chunk);
      for (const name of chunk.imports) {
        add(byName.get(name));
      }
    }
  };
  add(entry);
  return found;
};
