import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexHtmlTransformContext, Plugin } from 'vite';

const entry = 'src/early.ts';
const layout = 'app-layout';
const scriptOfPage = '<script type="module"';

/**
 * The pages that operators open first, by their address below a company, and the entries that each loads. Other pages
 * begin a little later, with the code of the console.
 */
const pages: Readonly<Record<string, readonly string[]>> = {
  '': ['dashboard-page'],
  notes: ['notes-page'],
  'notes/*': ['note-page'],
  'notes/*/edit': ['edit-note-page', 'markdown-editor'],
};

/** Puts the first script into the document, with the files of those pages. */
export const beginEarly = (root: string): Plugin => ({
  name: 'begin-early',
  apply: 'build',
  buildStart() {
    if (existsSync(join(root, entry))) {
      this.emitFile({ type: 'chunk', id: join(root, entry), name: 'early' });
    }
  },
  // Not a module: a deferred script runs before the module behind it, and does not wait for the files of that.
  renderChunk: (code, { name }) => (name === 'early' ? `(() => {${code}})();` : null),
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const chunks = chunksOf(bundle);
      const early = chunks.find(({ name }) => name === 'early');
      if (!early) {
        return html;
      }
      if (!html.includes(scriptOfPage)) {
        throw new Error('Vite no longer puts the script of the page in the expected way.');
      }
      const files = Object.entries(pages).map(([path, names]) => {
        const needed = [layout, ...names].flatMap((name) => filesOf(name, chunks));
        return [path, [...new Set(needed)].filter((file) => !html.includes(`"${file}"`))];
      });
      const list = JSON.stringify(Object.fromEntries(files)).replaceAll('"', '&quot;');
      const script = `<script defer crossorigin src="/${early.fileName}" data-pages="${list}"></script>`;
      return html.replace(scriptOfPage, `${script}\n    ${scriptOfPage}`);
    },
  },
});

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((file) => file.type === 'chunk');

/** The paths of a chunk, its styles, and all that it imports. */
const filesOf = (name: string, chunks: ReturnType<typeof chunksOf>): readonly string[] => {
  const found = new Set<string>();
  const add = (chunk: (typeof chunks)[number] | undefined): void => {
    if (chunk && !found.has(chunk.fileName)) {
      found.add(chunk.fileName);
      chunk.viteMetadata?.importedCss.forEach((css) => found.add(css));
      for (const imported of chunk.imports) {
        add(chunks.find(({ fileName }) => fileName === imported));
      }
    }
  };
  add(chunks.find((chunk) => chunk.name === name));
  if (found.size === 0) {
    throw new Error(`The build has no ${name}, which a first page loads.`);
  }
  return [...found].map((file) => `/${file}`);
};
