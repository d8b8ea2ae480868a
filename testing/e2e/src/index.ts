export * from './access-matrix.ts';
export * from './call-api.ts';
export * from './demo/run-demo.ts';
export * from './make-administrator.ts';
export * from './sign-in.ts';
export * from './world.ts';
export { runAdmin, runScript } from './run-script.ts';
export { whenAvailable } from './when-available.ts';
export { startEmbeddingsServer, type EmbeddingsServer } from '@commonplace/testkit';
