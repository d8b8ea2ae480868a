/**
 * What processes of ours use of Node's `http`. An `import` of it would read every export, among them
 * `WebSocket`, for which Node loads undici: 40 ms and 13 MB in each process that would only import it.
 */
export const { Agent, createServer, get, request } = process.getBuiltinModule('node:http');
