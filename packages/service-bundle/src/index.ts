export { currentBundle } from './current-bundle.ts';
