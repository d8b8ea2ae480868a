export * from './call-api.ts';
export * from './demo/run-demo.ts';
export * from './sign-in.ts';
