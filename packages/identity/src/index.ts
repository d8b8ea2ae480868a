export * from './api-key.ts';
export * from './caller.ts';
export * from './header-names.ts';
export * from './mint-identity.ts';
export * from './run-token.ts';
export * from './session-cookie.ts';
export * from './signing-keys.ts';
export * from './verify-identity.ts';
