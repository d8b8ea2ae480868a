import type { Plugin } from 'vite';

const library = 'decode-named-character-reference';

/**
 * For code that runs in a worker: built for browsers, micromark decodes `&copy;` with an element of the
 * document, which a worker does not have. The library also has a lookup table. Selecting its `worker`
 * condition would apply to all packages, and select the server build of the router.
 */
export const withoutDocument: Plugin = {
  name: 'without-document',
  // Runs before the resolver of Vite.
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (source !== library) {
      return null;
    }
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && { ...found, id: found.id.replace(/index\.dom\.js$/, 'index.js') };
  },
};
