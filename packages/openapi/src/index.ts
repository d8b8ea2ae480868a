export * from './agents-guide.ts';
export * from './docs-page.ts';
export * from './errors-of-route.ts';
export * from './openapi-document.ts';
export { commonHeaders } from './response-headers.ts';
