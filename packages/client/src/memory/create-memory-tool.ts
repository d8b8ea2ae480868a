import type { ApiClient } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import { createMemory, insertIntoMemory, replaceInMemory } from './edit-memory.ts';
import type { CommandOf, MemoryCommand } from './memory-command.ts';
import { memoryPlace } from './memory-place.ts';
import { MemoryToolError } from './memory-tool-error.ts';
import { deleteMemory, renameMemory } from './move-memory.ts';
import { viewMemory } from './view-memory.ts';

/** Where the memory is. */
export type MemoryToolOptions = {
  /** The folder of notes that the model sees as `/memories`; not the root, whose notes have no path below a folder. */
  readonly folder?: string;
};

/** The content of a `tool_result` block. */
export type MemoryToolResult = { readonly content: string; readonly is_error: boolean };

type Handler<Name extends MemoryCommand['command']> = (command: CommandOf<Name>) => Promise<string>;

/**
 * The commands of the memory tool, each with its text for the model. They throw a MemoryToolError with the text of
 * what the model did wrong, and a ProblemError when the API refuses.
 */
export type MemoryTool = { readonly [Name in MemoryCommand['command']]: Handler<Name> } & {
  /** Runs the input of a `tool_use` block. Errors become results, so that the model can go on. */
  readonly run: (input: MemoryCommand) => Promise<MemoryToolResult>;
};

/**
 * Anthropic's memory tool (`memory_20250818`) over the notes of a company: files are notes, directories are folders.
 * Many agents may share a memory. Replacements and creations happen on the server, so none overwrites another.
 * Throws a TypeError for an empty folder.
 */
export const createMemoryTool = (
  api: ApiClient,
  { folder = 'memories' }: MemoryToolOptions = {},
): MemoryTool => {
  if (folder === '') {
    throw new TypeError('The folder of the memory is empty: name one, as in {folder: "memories"}');
  }
  const at = (path: string) => memoryPlace(path, folder);
  const commands: Omit<MemoryTool, 'run'> = {
    view: async (command) => viewMemory(api, at(command.path), command),
    create: async (command) => createMemory(api, at(command.path), command),
    str_replace: async (command) => replaceInMemory(api, at(command.path), command),
    insert: async (command) => insertIntoMemory(api, at(command.path), command),
    delete: async (command) => deleteMemory(api, at(command.path)),
    rename: async (command) => renameMemory(api, at(command.old_path), at(command.new_path)),
  };
  const run = async (input: MemoryCommand): Promise<MemoryToolResult> => {
    try {
      return { content: await dispatch(commands, input), is_error: false };
    } catch (error) {
      return { content: textOf(error), is_error: true };
    }
  };
  return { ...commands, run };
};

const dispatch = (commands: Omit<MemoryTool, 'run'>, input: MemoryCommand): Promise<string> => {
  switch (input.command) {
    case 'view':
      return commands.view(input);
    case 'create':
      return commands.create(input);
    case 'str_replace':
      return commands.str_replace(input);
    case 'insert':
      return commands.insert(input);
    case 'delete':
      return commands.delete(input);
    case 'rename':
      return commands.rename(input);
    default:
      throw new MemoryToolError(`Error: Unknown command ${(input as { command: string }).command}`);
  }
};

const textOf = (error: unknown): string =>
  error instanceof MemoryToolError
    ? error.message
    : `Error: ${error instanceof ProblemError ? describeProblem(error) : String(error)}`;

/** What is wrong, and with which field. */
const describeProblem = ({ detail, errors }: ProblemError): string =>
  [detail, ...errors.map(({ path, message }) => `${path || '/'} ${message}`)].join('\n');
