export { createLimiter } from './limiter.ts';
export { coalesceFresh } from './single-flight.ts';
export { createShortLivedMap } from './short-lived-map.ts';
