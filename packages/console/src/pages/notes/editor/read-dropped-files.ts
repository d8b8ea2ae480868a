/** What became of files: the names of those whose text is taken, of images, and of others that are left out. */
export type FileReport = {
  /** Those that are UTF-8 or UTF-16. */
  readonly added: readonly string[];
  /** Those that are neither, and were read as Windows-1252. */
  readonly assumed: readonly string[];
  readonly images: readonly string[];
  readonly tooLarge: readonly string[];
  readonly notText: readonly string[];
  /** Such as folders. */
  readonly unreadable: readonly string[];
};

/** As much as a note holds. */
const bytesMax = 512 * 1024;

/** As in files of programs and archives. */
const binary = /^%PDF-|\0|[\x01-\x08\x0e-\x1f]{2}/;

/** Where nothing else says that bytes are text: control characters, and the five bytes that Windows-1252 does not define. */
const binaryInAnyByte = /[\0-\x08\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]/;

type Outcome = keyof FileReport;

type ReadFile = { readonly outcome: Outcome; readonly text?: string };

/** The texts of files one below another, and what became of each file. */
export const readDroppedFiles = async (
  files: readonly File[],
): Promise<FileReport & { readonly text: string }> => {
  const read = await Promise.all(
    files.map(async (file) => ({ name: file.name, ...(await readFile(file)) })),
  );
  const named = (wanted: Outcome) =>
    read.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);
  return {
    text: read
      .flatMap(({ text }) => text ?? [])
      .join('\n')
      .replaceAll(/\r\n?/g, '\n'),
    added: named('added'),
    assumed: named('assumed'),
    images: named('images'),
    tooLarge: named('tooLarge'),
    notText: named('notText'),
    unreadable: named('unreadable'),
  };
};

const readFile = async (file: File): Promise<ReadFile> => {
  if (file.type.startsWith('image/')) {
    return { outcome: 'images' };
  }
  if (file.size > bytesMax) {
    return { outcome: 'tooLarge' };
  }
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes === null ? { outcome: 'unreadable' } : decode(new Uint8Array(bytes));
};

const decode = (bytes: Uint8Array<ArrayBuffer>): ReadFile => {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    return binary.test(text) ? { outcome: 'notText' } : { outcome: 'added', text };
  } catch {
    // As Excel saves CSV on Windows. Every byte has a letter in it, so only what cannot be text is left out.
    const text = new TextDecoder('windows-1252').decode(bytes);
    return binary.test(text) || binaryInAnyByte.test(text)
      ? { outcome: 'notText' }
      : { outcome: 'assumed', text };
  }
};

/** By the byte order mark, which the decoder removes. */
const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
};
