import { readdirSync } from 'node:fs';
import { RootCommand, type Command, type Complete } from '@bomb.sh/tab';
import { commandList } from './command-list.ts';
import type { Flag, Flags } from './flags.ts';
import { shells } from './shells.ts';

/**
 * Prints what the last word may become. The scripts of `commonplace completion` call it, as
 * `commonplace complete -- <words>`.
 */
export const complete = async ([, ...words]: readonly string[]): Promise<void> => {
  const root = new RootCommand();
  const line = words.join(' ');
  const last = words.at(-1) ?? '';
  // The library finds `notes list` only below a command `notes`.
  root.command('notes', 'read, write and search notes');
  for (const { name, summary, load } of commandList) {
    const command = root.command(name, summary);
    if (name === 'sync') {
      command.argument('folder', (add) => completePath(last, add, { isFolder: true }));
    }
    if (name === 'completion') {
      command.argument('shell', (add) => shells.forEach((shell) => add(shell, '')));
    }
    // Only the command that is being typed is loaded.
    if (line.startsWith(`${name} `)) {
      addFlags(command, (await load()).flags, last);
    }
  }
  root.parse([...words]);
};

const addFlags = (command: Command, flags: Flags, last: string): void => {
  for (const [name, flag] of Object.entries(flags)) {
    if (flag.type === 'boolean') {
      command.option(name, flag.about, flag.short ?? '');
    } else {
      command.option(name, flag.about, (add) => completeValue(flag, last, add), flag.short);
    }
  }
};

const completeValue = ({ choices, value }: Flag, last: string, add: Complete): void => {
  choices?.forEach((choice) => add(choice, ''));
  if (value === '<file>') {
    completePath(last, add, { isFolder: false });
  }
};

/** Completes the last segment of a path. A folder ends with a slash, so that the next word goes on inside it. */
const completePath = (
  last: string,
  add: Complete,
  { isFolder }: { readonly isFolder: boolean },
): void => {
  const typed = last.replace(/^--?[\w-]+=/, '');
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  try {
    for (const entry of readdirSync(folder || '.', { withFileTypes: true })) {
      if (entry.isDirectory()) {
        add(`${folder}${entry.name}/`, '');
      } else if (!isFolder) {
        add(`${folder}${entry.name}`, '');
      }
    }
  } catch {
    // There is no such folder, so there is nothing to complete.
  }
};
