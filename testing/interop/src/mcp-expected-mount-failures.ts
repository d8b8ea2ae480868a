const noSession =
  'no sessions: any process serves any request, so a client cannot respond to a request that a tool sends, nor resume a stream';
const noListChange =
  'the lists of tools and prompts do not change while a process runs, so no subscription announces it';
const noHeaderTool =
  'not required, and no tool of the product repeats an argument in a header; tools/call skips the layer of the SDK that compares';

/** Checks of extensions of the protocol, which are optional: this server offers no tasks. */
export const notOffered = /^tasks-/;

/**
 * Why a check of the conformance suite fails against the fixture server, by revision and scenario, then by check.
 * Scenarios that the suite runs but does not require are here too.
 */
export const expectedMountFailures: Readonly<
  Record<'2025-11-25' | '2026-07-28', Readonly<Record<string, Readonly<Record<string, string>>>>>
> = {
  '2025-11-25': {
    'tools-call-sampling': { 'tools-call-sampling': noSession },
    'tools-call-elicitation': { 'tools-call-elicitation': noSession },
    'elicitation-sep1034-defaults': { 'elicitation-sep1034-general': noSession },
    'elicitation-sep1330-enums': { 'elicitation-sep1330-general': noSession },
    'server-sse-multiple-streams': { 'server-sse-multiple-streams-session': noSession },
    // Not required.
    'server-sse-polling': {
      'server-sse-polling-session': noSession,
      'server-sse-priming-event': noSession,
      'server-sse-retry-field': noSession,
    },
    'server-session-lifecycle': { 'server-session-lifecycle-skipped': noSession },
  },
  '2026-07-28': {
    'server-stateless': {
      'sep-2575-server-sends-prompts-list-changed-on-subscription': noListChange,
      'sep-2575-server-sends-tools-list-changed-on-subscription': noListChange,
    },
    'http-custom-header-server-validation': {
      'sep-2243-server-reject-invalid-param-chars': noHeaderTool,
      'sep-2243-server-reject-param-mismatch': noHeaderTool,
      'sep-2243-server-validate-param-match': noHeaderTool,
    },
  },
};
