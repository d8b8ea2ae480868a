import type { Plugin } from 'vite';

const library = /react-zoom-pan-pinch\/dist\/index\.esm\.js$/;
const injection = /^styleInject\(css_\w+\);$/m;

/**
 * react-zoom-pan-pinch adds a `<style>` element when it is loaded, without the nonce that the policy
 * requires. Its rules are in org-chart.module.css instead.
 */
export const withoutInjectedStyles: Plugin = {
  name: 'without-injected-styles',
  apply: 'build',
  transform(code, id) {
    if (!library.test(id)) {
      return null;
    }
    if (!injection.test(code)) {
      this.error('react-zoom-pan-pinch no longer injects its styles in the expected way.');
    }
    return { code: code.replace(injection, ''), map: null };
  },
};
