export { combineTexts, type Combined, type Overlap } from './combine-texts.ts';
export { mergeText, mergeWithin, tooCostly } from './merge-text.ts';
export {
  takeOut,
  takeOutStepsMax,
  type Removal,
  type TakenOut,
  type VersionRange,
} from './take-out.ts';
export type { Texts } from './texts.ts';
