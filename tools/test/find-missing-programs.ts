import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { neededPrograms, type NeededProgram } from './needed-programs.ts';

/** A program that is not installed, and the chosen test files that need it. */
export interface MissingProgram {
  readonly program: NeededProgram;
  readonly files: readonly string[];
}

/** The programs that `files` (relative to the repository) need and that are not below `searchPath`. */
export function findMissingPrograms(
  files: readonly string[],
  searchPath: string,
  programs = neededPrograms,
): MissingProgram[] {
  return programs
    .map((program) => ({ program, files: files.filter((file) => program.neededBy.test(file)) }))
    .filter((each) => each.files.length > 0 && !isInstalled(each.program, searchPath));
}

function isInstalled({ commands }: NeededProgram, searchPath: string): boolean {
  return commands
    .flatMap((command) =>
      isAbsolute(command)
        ? [command]
        : searchPath.split(delimiter).map((folder) => join(folder, command)),
    )
    .some(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
