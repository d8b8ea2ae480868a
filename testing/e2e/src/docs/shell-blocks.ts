import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A shell block of the docs. */
export type ShellBlock = {
  readonly page: string;
  readonly line: number;
  readonly text: string;
};

/** A command in a sentence or a table, as `pnpm NAME`. */
type NamedScript = { readonly page: string; readonly script: string };

export type Commands = {
  readonly blocks: readonly ShellBlock[];
  readonly scripts: readonly NamedScript[];
  /** Commands that cannot run from the repository, as `page:line`. */
  readonly strays: readonly string[];
};

/** Languages of blocks that are not shell commands. */
const others = ['ts', 'python', 'sql', 'json', 'markdown', 'ini', 'yaml', ''];

/** Finds every command in README.md and the pages of docs. */
export const readCommands = async (root: string): Promise<Commands> => {
  const pages = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
  const all: Commands = { blocks: [], scripts: [], strays: [] };
  const found = await Promise.all(
    ['README.md', ...pages.toSorted().map((name) => `docs/${name}`)].map(async (page) =>
      commandsIn(page, await readFile(join(root, page), 'utf8')),
    ),
  );
  return found.reduce(
    (sum, one) => ({
      blocks: [...sum.blocks, ...one.blocks],
      scripts: [...sum.scripts, ...one.scripts],
      strays: [...sum.strays, ...one.strays],
    }),
    all,
  );
};

const commandsIn = (page: string, text: string): Commands => {
  const blocks: ShellBlock[] = [];
  const strays: string[] = [];
  const prose: string[] = [];
  let open: { language: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*```(\S*)/.exec(line);
    if (fence && open) {
      const { language, lines, line: begin } = open;
      if (language === 'sh') {
        blocks.push({ page, line: begin, text: `${lines.join('\n')}\n` });
      } else if (!others.includes(language) || lines.some(isCommand)) {
        strays.push(`${page}:${begin}`);
      }
      open = null;
    } else if (fence) {
      open = { language: fence[1] ?? '', line: index + 1, lines: [] };
    } else if (open) {
      open.lines.push(line);
    } else {
      prose.push(line);
      if (/^ {4}/.test(line) && isCommand(line)) {
        strays.push(`${page}:${index + 1}`);
      }
    }
  }
  return { blocks, strays, scripts: scriptsIn(page, prose.join('\n')) };
};

const isCommand = (line: string): boolean =>
  /^\s*(?:\$ )?(?:pnpm|npx|npm|node|curl|docker|docker-compose) \S/.test(line);

const scriptsIn = (page: string, prose: string): NamedScript[] =>
  [...prose.matchAll(/`(?:npx -y pnpm@12|pnpm)(?: run)? ([a-z][a-z:]*)/g)].map(
    ([, script = '']) => ({ page, script }),
  );
