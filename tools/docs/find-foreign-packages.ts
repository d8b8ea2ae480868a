/** A command in a page that makes npm, pnpm or another package manager get a package by a name that we do not vouch for. */
export interface ForeignPackage {
  readonly page: string;
  readonly name: string;
  readonly command: string;
}

/**
 * The packages of others that pages may name. A name of ours is not among them: nobody has published it for us, so
 * the registry gives it to somebody else, now or later. What is ours comes from a server of the user, by its URL.
 */
const vouchedFor: ReadonlySet<string> = new Set(['pnpm']);

const commands =
  /\b(npx|bunx|npm (?:exec|x)|(?:npm|pnpm|yarn|bun) (?:install|i|add|dlx|create|init))((?: +[^\s`|;&()]+)*)/g;
/** The same in the configuration of an MCP client. */
const started = /"command":\s*"(npx|bunx|pnpx)",\s*"args":\s*\[([^\]]*)\]/g;
const flagsWithValue = new Set(['--prefix', '--filter', '--registry', '--userconfig', '-C', '-w']);
const packageFlag = /^(?:-p|--package)(?:=(.*))?$/;

/** Names of packages that a page has its reader install or run and that are not vouched for. */
export function findForeignPackages(page: string, text: string): ForeignPackage[] {
  // A command can go on in the next line.
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  const found = [
    ...[...joined.matchAll(commands)].map(([, program = '', words = '']) => ({
      program,
      args: words.split(' ').filter(Boolean),
    })),
    ...[...joined.matchAll(started)].map(([, program = '', list = '']) => ({
      program,
      args: [...list.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word),
    })),
  ];
  return found.flatMap(({ program, args }) =>
    specsOf(program, args)
      .filter((spec) => !isPlace(spec))
      .map(nameOf)
      .filter((name) => !vouchedFor.has(name))
      .map((name) => ({ page, name, command: [program, ...args].join(' ') })),
  );
}

/** What the command gets from somewhere: all arguments of an installation, one or those of `--package` otherwise. */
function specsOf(program: string, args: readonly string[]): string[] {
  const packages: string[] = [];
  const others: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    const named = packageFlag.exec(argument);
    if (named) {
      packages.push(named[1] ?? args[(index += 1)] ?? '');
    } else if (argument === '--no-install' || argument === '--no') {
      return [];
    } else if (flagsWithValue.has(argument)) {
      index += 1;
    } else if (!argument.startsWith('-')) {
      others.push(argument);
    }
  }
  if (/ (?:install|i|add)$/.test(program)) {
    return others;
  }
  return packages.length > 0 ? packages : others.slice(0, 1);
}

/** A URL, a path, a variable or a placeholder. */
function isPlace(spec: string): boolean {
  return /^[.~/$<]|^\w+:/.test(spec);
}

function nameOf(spec: string): string {
  return spec.replace(/(?<=.)@.*$/, '');
}
