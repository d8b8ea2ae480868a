const testTool =
  'not testable: the suite looks for a tool of its own, which a product with tools for its notes does not have';

/** Why a check of the conformance suite fails against the product, by revision and scenario, then by check. */
export const expectedFailures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-11-25 json-schema-2020-12': { 'json-schema-2020-12-tool-found': testTool },
  '2026-07-28 json-schema-2020-12': { 'json-schema-2020-12-tool-found': testTool },
  '2026-07-28 server-stateless': {
    'sep-2575-server-rejects-undeclared-capability': `${testTool}, and no tool needs a capability of the client`,
    'sep-2575-missing-capability-http-400': `${testTool}, and no tool needs a capability of the client`,
    'sep-2575-http-server-no-independent-requests-on-stream': `${testTool}, and the server sends no requests`,
    'sep-2575-server-no-log-without-loglevel': `${testTool}, and the server sends no log messages`,
  },
};
