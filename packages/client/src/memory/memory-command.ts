/** The input of Anthropic's memory tool (`memory_20250818`), as the model sends it. */
export type MemoryCommand =
  | {
      readonly command: 'view';
      readonly path: string;
      /** The first and the last line; -1 is the end. */
      readonly view_range?: readonly number[] | undefined;
    }
  | { readonly command: 'create'; readonly path: string; readonly file_text: string }
  | {
      readonly command: 'str_replace';
      readonly path: string;
      readonly old_str: string;
      readonly new_str: string;
    }
  | {
      readonly command: 'insert';
      readonly path: string;
      /** The text follows this line; 0 is the start. */
      readonly insert_line: number;
      readonly insert_text: string;
    }
  | { readonly command: 'delete'; readonly path: string }
  | { readonly command: 'rename'; readonly old_path: string; readonly new_path: string };

/** One command by its name. */
export type CommandOf<Name extends MemoryCommand['command']> = Omit<
  Extract<MemoryCommand, { readonly command: Name }>,
  'command'
> & { readonly command?: Name };
