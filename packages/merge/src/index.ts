export { mergeText, mergeWithin, tooCostly, type Texts } from './merge-text.ts';
