/** A file of the state cannot be read. The message says which one, and what to do. */
export class CorruptStateError extends Error {
  constructor(path: string, cause: unknown) {
    super(
      `${path} is damaged. Your Markdown files are not affected. Move the folder .commonplace away and synchronise ` +
        'again: files with the text of a note become its files, all others become new notes. Edits that were not sent ' +
        'are in the files',
      { cause },
    );
  }
}
