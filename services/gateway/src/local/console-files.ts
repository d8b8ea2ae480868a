import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { digestOf, type SharedFile } from './shared-file.ts';

/** A file of the console, in every content coding it can be sent in. */
export type ConsoleFile = SharedFile & {
  /** Its path in the URL. */
  readonly path: string;
};

const yearSeconds = 31_536_000;

/** The types of the files that the build writes. Other files in the folder are not served. */
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Reads the built console into memory, by path; empty when it is not built. Throws if it cannot be read. */
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
            digest: digestOf(plain),
            headers: {
              'Cross-Origin-Resource-Policy': 'same-origin',
              // The names of assets hold a hash of their content.
              'Cache-Control': path.startsWith('/assets/')
                ? `public, max-age=${yearSeconds}, immutable`
                : 'public, no-cache',
            },
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
