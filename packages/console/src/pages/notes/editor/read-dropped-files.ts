/** What became of files: the names of those whose text is taken, of images, and of others that are left out. */
export type FileReport = {
  readonly added: readonly string[];
  readonly images: readonly string[];
  readonly others: readonly string[];
};

/** As much as a note holds. */
const bytesMax = 512 * 1024;

/** As in files of programs, images and archives, and in UTF-16. */
const binary = /\0|[\x01-\x08\x0e-\x1f]{2}/;

/** The texts of files one below another, and what became of each file. */
export const readDroppedFiles = async (
  files: readonly File[],
): Promise<FileReport & { readonly text: string }> => {
  const images = files.filter(({ type }) => type.startsWith('image/'));
  const read = await Promise.all(
    files
      .filter((file) => !images.includes(file))
      .map(async (file) => ({ name: file.name, text: await textOf(file) })),
  );
  const texts = read.flatMap(({ text }) => text ?? []);
  return {
    text: texts.join('\n').replaceAll(/\r\n?/g, '\n'),
    added: read.flatMap(({ name, text }) => (text === null ? [] : [name])),
    images: images.map(({ name }) => name),
    others: read.flatMap(({ name, text }) => (text === null ? [name] : [])),
  };
};

/** Null: it is not text, too large, or cannot be read, as a folder. */
const textOf = async (file: File): Promise<string | null> => {
  const text = file.size > bytesMax ? null : await file.text().catch(() => null);
  return text === null || binary.test(text) ? null : text;
};
