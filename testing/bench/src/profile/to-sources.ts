import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Frame } from './stage-of.ts';

/** Where V8 found a function: lines and columns begin at 0. */
export type Located = Frame & { readonly lineNumber: number; readonly columnNumber: number };

/** Leads each frame of a bundle to the source that it was made from, by the source maps beside the bundle's files. */
export const createToSources = (): (<Any extends Located>(frame: Any) => Any) => {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (url: string): SourceMap | null => {
    const known = maps.get(url);
    if (known !== undefined) {
      return known;
    }
    const map = readMap(url);
    maps.set(url, map);
    return map;
  };
  return (frame) => {
    const entry = mapOf(frame.url)?.findEntry(frame.lineNumber, frame.columnNumber);
    return entry && 'originalSource' in entry
      ? { ...frame, url: new URL(entry.originalSource, frame.url).href }
      : frame;
  };
};

const readMap = (url: string): SourceMap | null => {
  if (!url.startsWith('file:')) {
    return null;
  }
  const path = `${fileURLToPath(url)}.map`;
  return existsSync(path)
    ? new SourceMap(
        JSON.parse(readFileSync(path, 'utf8')) as ConstructorParameters<typeof SourceMap>[0],
      )
    : null;
};
