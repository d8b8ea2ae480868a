import type { Plugin } from 'vite';

/** Vite's module with the function that it puts around every `import()`. */
const helper = '\0vite/preload-helper.js';

/** The name under which chunks import the function. */
const exported = '__vitePreload';

/**
 * Runs in the browser: loads the files of a chunk, the chunk among them, before it is imported. Scripts are fetched,
 * from where the import finds them in the browser's cache: all at once, because an import alone finds them one after another.
 * Those of a first page are loading already (src/early.ts).
 */
const code = `
const early = globalThis.commonplaceEarly?.files ?? new Map();
const loading = new Map(early);
early.forEach((file, path) => file.catch(() => loading.delete(path)));

const fetchScript = async (path) => {
  const response = await fetch(path);
  if (!response.ok) {
    throw new Error(String(response.status));
  }
  await response.arrayBuffer();
};

const addStyles = (path) => new Promise((resolve, reject) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = path;
  link.onload = resolve;
  link.onerror = () => {
    link.remove();
    // The event does not say why.
    fetchScript(path).then(() => reject(new Error('no styles')), reject);
  };
  document.head.append(link);
});

const isInPage = (path) =>
  document.querySelector('link[href="' + path + '"], script[src="' + path + '"]') !== null;

const load = (path) => {
  if (!loading.has(path)) {
    const loaded = isInPage(path) ? Promise.resolve() : path.endsWith('.css') ? addStyles(path) : fetchScript(path);
    loading.set(path, loaded);
    loaded.catch(() => loading.delete(path));
  }
  return loading.get(path);
};

const preloadModule = (path) => {
  if (path.endsWith('.js') && !isInPage(path)) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = path;
    document.head.append(link);
  }
};

export const ${exported} = async (importChunk, files) => {
  for (const path of files.map((file) => '/' + file)) {
    load(path);
  }
  for (const path of files.map((file) => '/' + file)) {
    try {
      await load(path);
    } catch (cause) {
      throw new TypeError('Failed to fetch dynamically imported module: ' + path, { cause });
    }
  }
  for (const path of files.map((file) => '/' + file)) {
    preloadModule(path);
  }
  return importChunk();
};
`;

/**
 * Fetches what a chunk needs before it is imported. A browser remembers that an import failed, and never tries that file
 * again in the same page; a failed fetch can be repeated, so that parts of the console load after an outage.
 */
export const fetchBeforeImport: Plugin = {
  name: 'fetch-before-import',
  apply: 'build',
  transform(original, id) {
    if (id !== helper) {
      return null;
    }
    if (!original.includes(`export const ${exported}`)) {
      this.error('Vite no longer wraps imports in the expected way.');
    }
    return { code, map: null };
  },
};
