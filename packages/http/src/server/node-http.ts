/**
 * The used parts of Node's `http`. An `import` reads every export, among them `WebSocket`, for which Node loads
 * undici: 40 ms and 13 MB in each process.
 */
export const { Agent, createServer, get, request } = process.getBuiltinModule('node:http');
