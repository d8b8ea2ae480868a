import { proposedMemory } from './proposed-memory.ts';
import type { ApiClient, Schema } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import type { CommandOf } from './memory-command.ts';
import { findFile } from './memory-notes.ts';
import type { MemoryPlace } from './memory-place.ts';
import { MemoryToolError } from './memory-tool-error.ts';
import { linesOf, numberedLines } from './numbered-lines.ts';

/** The lines that are shown above and below an edit. */
const snippetLines = 4;
/** How often an insertion begins again because others have changed the note. */
const attemptsMax = 8;

/** `create`: a new file; one that exists is never overwritten. */
export const createMemory = async (
  api: ApiClient,
  { path, file }: MemoryPlace,
  { file_text: content }: Pick<CommandOf<'create'>, 'file_text'>,
): Promise<string> => {
  // A model may leave it out, whatever the type says; the note would be empty.
  if (typeof (content as unknown) !== 'string') {
    throw new MemoryToolError('Error: `file_text` is missing; it is "" for an empty file');
  }
  const exists = new MemoryToolError(`Error: File ${path} already exists`);
  if (file === null) {
    throw exists;
  }
  try {
    const { data } = await api.post('/api/notes', {
      headers: { 'Idempotency-Key': crypto.randomUUID(), Prefer: 'return=minimal' },
      body: { ...file, content, ifTitleExists: 'fail' },
    });
    return proposedMemory(data, path) ?? `File created successfully at: ${path}`;
  } catch (error) {
    throw error instanceof ProblemError && error.code === 'title_exists' ? exists : error;
  }
};

/** `str_replace`: replaces a text that occurs once, on the server, so that no edit of others is lost. */
export const replaceInMemory = async (
  api: ApiClient,
  place: MemoryPlace,
  { old_str: find, new_str: replacement }: Pick<CommandOf<'str_replace'>, 'old_str' | 'new_str'>,
): Promise<string> => {
  const note = await findFile(api, place);
  if (!note) {
    throw new MemoryToolError(
      `Error: The path ${place.path} does not exist. Please provide a valid path.`,
    );
  }
  if (find === '') {
    throw notFound(find, place);
  }
  try {
    const { data } = await api.patch('/api/notes/{id}', {
      params: { path: { id: note.id } },
      body: {
        edits: [{ op: 'replace', find, with: replacement, count: 1 }],
        mutationId: crypto.randomUUID(),
      },
    });
    const proposed = proposedMemory(data, place.path);
    if (proposed !== null) {
      return proposed;
    }
    return `The memory file has been edited.\n${snippet(data as Schema<'NoteData'>, note.content.indexOf(find), replacement)}`;
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'edit_not_applicable') {
      throw error;
    }
    throw error.problem['found'] === 0
      ? notFound(find, place)
      : await severalFound(api, place, find);
  }
};

const notFound = (find: string, { path }: MemoryPlace): MemoryToolError =>
  new MemoryToolError(
    `No replacement was performed, old_str \`${find}\` did not appear verbatim in ${path}.`,
  );

const severalFound = async (
  api: ApiClient,
  place: MemoryPlace,
  find: string,
): Promise<MemoryToolError> => {
  const content = (await findFile(api, place))?.content ?? '';
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (
    let at = content.indexOf(find);
    at >= 0 && lines.length <= linesNamedMax;
    at = content.indexOf(find, at + find.length)
  ) {
    line += content.slice(from, at).split('\n').length - 1;
    from = at;
    lines.push(line);
  }
  const named = lines.slice(0, linesNamedMax).join(', ');
  const more = lines.length > linesNamedMax ? ' and more' : '';
  return new MemoryToolError(
    `No replacement was performed. Multiple occurrences of old_str \`${find}\` in lines: ${named}${more}. Please ensure it is unique`,
  );
};

/** Lines that a message names; a word of one letter is in all of them. */
const linesNamedMax = 20;

const lineAt = (content: string, index: number): number =>
  content.slice(0, index).split('\n').length;

/** The edited lines and some around them. */
const snippet = (
  { content }: Pick<Schema<'NoteData'>, 'content'>,
  index: number,
  text: string,
): string => {
  const line = lineAt(content, Math.max(0, index));
  const first = Math.max(1, line - snippetLines);
  const last = line + text.split('\n').length - 1 + snippetLines;
  return numberedLines(linesOf(content), { first, last });
};

/** `insert`: adds lines below a line. Begins again if the file changes meanwhile. */
export const insertIntoMemory = async (
  api: ApiClient,
  place: MemoryPlace,
  command: Pick<CommandOf<'insert'>, 'insert_line' | 'insert_text'>,
): Promise<string> => {
  for (let attempt = 1; ; attempt += 1) {
    const note = await findFile(api, place);
    if (!note) {
      throw new MemoryToolError(`Error: The path ${place.path} does not exist`);
    }
    const { title, folder, tags, pinned, archived, properties } = note;
    const content = withLines(note.content, command);
    try {
      const { data } = await api.put('/api/notes/{id}', {
        params: { path: { id: note.id } },
        headers: {
          'If-Match': `"${note.revision}"`,
          // A repetition after a lost response must not find its own insertion, and somebody's edit of it, and insert again.
          'Idempotency-Key': crypto.randomUUID(),
          Prefer: 'return=minimal',
        },
        body: { title, folder, tags, pinned, archived, properties, content },
      });
      return proposedMemory(data, place.path) ?? `The file ${place.path} has been edited.`;
    } catch (error) {
      const hasChanged = error instanceof ProblemError && error.status === 412;
      if (!hasChanged || attempt === attemptsMax) {
        throw error;
      }
    }
  }
};

const withLines = (
  content: string,
  { insert_line: at, insert_text: text }: Pick<CommandOf<'insert'>, 'insert_line' | 'insert_text'>,
): string => {
  const lines = linesOf(content);
  if (!Number.isInteger(at) || at < 0 || at > lines.length) {
    throw new MemoryToolError(
      `Error: Invalid \`insert_line\` parameter: ${at}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  }
  if (text === '') {
    return content;
  }
  const added = [...lines.slice(0, at), ...linesOf(text), ...lines.slice(at)].join('\n');
  // The last line keeps its line break, or its lack of one.
  const isOpen = at === lines.length ? !text.endsWith('\n') : !content.endsWith('\n');
  return isOpen ? added : `${added}\n`;
};
