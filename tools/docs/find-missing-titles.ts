/** A test that a page quotes and that the named file does not have. */
export interface MissingTitle {
  readonly page: string;
  readonly file: string;
  readonly title: string;
}

const testFile = /`([\w./-]+\.test\.ts)`/;
const quoted = /"([^"]+)"/g;

/**
 * Titles of tests in quotation marks after the name of a test file, up to the next one or the end of
 * the paragraph, that do not occur in it. An ellipsis stands for any text.
 */
export function findMissingTitles(
  page: string,
  text: string,
  read: (file: string) => string,
): MissingTitle[] {
  return text.split(/\n\n|\n(?=- )/).flatMap((paragraph) => {
    const [, ...parts] = paragraph.replaceAll(/\s+/g, ' ').split(testFile);
    const missing: MissingTitle[] = [];
    for (let index = 0; index + 1 < parts.length; index += 2) {
      const file = parts[index] ?? '';
      const source = read(file);
      for (const [, title = ''] of (parts[index + 1] ?? '').matchAll(quoted)) {
        if (!title.split('…').every((piece) => source.includes(piece.trim()))) {
          missing.push({ page, file, title });
        }
      }
    }
    return missing;
  });
}
