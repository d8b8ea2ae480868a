export { afreshBy } from './afresh-by.ts';
export { transientMap } from './transient-map.ts';
