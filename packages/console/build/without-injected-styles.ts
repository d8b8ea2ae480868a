import type { Plugin } from 'vite';

const library = /react-zoom-pan-pinch\/dist\/index\.esm\.js$/;
const injection = /^styleInject\(css_\w+\);$/m;

/**
 * react-zoom-pan-pinch writes a `<style>` element as soon as it is loaded, without the nonce that the
 * policy asks for. Its few rules are in org-chart.module.css instead.
 */
export const withoutInjectedStyles: Plugin = {
  name: 'without-injected-styles',
  apply: 'build',
  transform(code, id) {
    if (!library.test(id)) {
      return null;
    }
    if (!injection.test(code)) {
      this.error('react-zoom-pan-pinch no longer injects its styles the way this plugin knows.');
    }
    return { code: code.replace(injection, ''), map: null };
  },
};
