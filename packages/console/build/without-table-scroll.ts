import type { Plugin } from 'vite';

const container = /@mantine\/core\/esm\/components\/Table\/TableScrollContainer\.mjs$/;

/**
 * Mantine's table carries its scroll container, and with it a scroll area and a library for positions: a tenth of the
 * JavaScript of the first page. The console has a container of its own (`src/components/table-scroll.tsx`).
 */
export const withoutTableScroll: Plugin = {
  name: 'without-table-scroll',
  apply: 'build',
  transform(code, id) {
    if (code.includes('Table.ScrollContainer') && !id.includes('node_modules')) {
      this.error(
        'Use TableScroll of src/components/table-scroll.tsx instead of Table.ScrollContainer.',
      );
    }
    if (!container.test(id)) {
      return null;
    }
    if (!code.includes('export { TableScrollContainer }')) {
      this.error(
        'Mantine no longer exports the scroll container of its table in the expected way.',
      );
    }
    return { code: 'export const TableScrollContainer = undefined;', map: null };
  },
};
