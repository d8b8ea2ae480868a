import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** A file of the console, in every form it can be sent in. */
export type ConsoleFile = {
  /** Its path in the URL. */
  readonly path: string;
  readonly contentType: string;
  readonly etag: string;
  /** Whether its name changes with its content. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
};

/** What the build makes. Anything else in the folder is not for browsers. */
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Reads the built console once, at start; empty when there is none. */
export const readConsoleFiles = (dir: string): ReadonlyMap<string, ConsoleFile> => {
  const contents = new Map(
    filesBelow(dir).map((path) => [
      `/${relative(dir, path).split(sep).join('/')}`,
      readFileSync(path),
    ]),
  );
  const files = [...contents].flatMap(([path, plain]) => {
    const contentType = contentTypes[extname(path)];
    return contentType === undefined
      ? []
      : [
          {
            path,
            contentType,
            etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
            isHashed: path.startsWith('/assets/'),
            plain,
            brotli: contents.get(`${path}.br`),
            gzip: contents.get(`${path}.gz`),
          },
        ];
  });
  return new Map(files.map((file) => [file.path, file]));
};

const filesBelow = (dir: string): readonly string[] => {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  }
};
