import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const intervalMs = 500;

/**
 * Calls back when the package manager that started us has ended. A killed npx ends neither pnpm nor us: the
 * terminal is free again, but the system would keep running. `process.ppid` is not enough, because it is a shell or
 * pnpm that survives; so every process from us up to npx is checked for its parent. The parent of npx may end.
 */
export const watchParent = async (
  onGone: () => void,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> => {
  const chain = await packageManagersAbove(process.pid);
  if (chain.length === 0) {
    return;
  }
  const timer = setInterval(() => {
    void isIntact(chain).then((intact) => {
      if (!intact) {
        clearInterval(timer);
        if (!signal.aborted) {
          onGone();
        }
      }
    });
  }, intervalMs);
  timer.unref();
};

type Link = { readonly pid: number; readonly parent: number };

const packageManager = /(^|[\s/\\'])(npm|npx|pnpm|yarn|bun|corepack)(-cli)?(\.[cm]?js)?(['\s@]|$)/;
const shell = /^(\S*\/)?(ba|da|z)?sh -c /;

/** The links up to the topmost package manager that is reached through package managers and shells only. */
const packageManagersAbove = async (self: number): Promise<Link[]> => {
  const links: Link[] = [];
  let watched = 0;
  for (let pid = self; pid > 1;) {
    const { parent } = await describe(pid);
    const { command } = await describe(parent);
    if (!packageManager.test(command) && !shell.test(command)) {
      break;
    }
    links.push({ pid, parent });
    watched = packageManager.test(command) ? links.length : watched;
    pid = parent;
  }
  return links.slice(0, watched);
};

const isIntact = async (chain: readonly Link[]): Promise<boolean> => {
  const found = await Promise.all(chain.map(({ pid }) => describe(pid)));
  return chain.every(({ parent }, index) => found[index]?.parent === parent);
};

/** Parent and command line of a process; nothing of one that is gone, and on Windows of none at all. */
const describe = async (pid: number): Promise<{ parent: number; command: string }> => {
  if (process.platform === 'linux') {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ]);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
    return { parent, command: command.replaceAll('\0', ' ').trim() };
  }
  const args = ['-o', 'ppid=,args=', '-p', String(pid)];
  const { stdout } = await run('ps', args).catch(() => ({ stdout: '' }));
  const [, parent = '0', command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
  return { parent: Number(parent), command };
};
