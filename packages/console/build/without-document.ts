import type { Plugin } from 'vite';

const library = 'decode-named-character-reference';

/**
 * For what runs in a worker: micromark decodes `&copy;` by an element of the document where it is built
 * for browsers, and a worker has none. The library has a table for that. Asking for its `worker` condition
 * would ask all packages for it, and the router is built for a server then.
 */
export const withoutDocument: Plugin = {
  name: 'without-document',
  // Before Vite resolves it itself.
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (source !== library) {
      return null;
    }
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && { ...found, id: found.id.replace(/index\.dom\.js$/, 'index.js') };
  },
};
