/** Words of this repository's former vocabulary, each with the term of the field that replaces it. */
export const privateWords: Readonly<
  Record<string, { readonly use: string; readonly pattern: string }>
> = {
  answer: { use: 'response, respond, result', pattern: 'answer(?:s|ed|ing)?' },
  ask: { use: 'request, call', pattern: 'ask(?:s|ed|ing)?' },
  question: { use: 'request, lookup', pattern: 'questions?' },
  tell: { use: 'notify, report, distinguish', pattern: 'tells?|telling|told' },
  hear: { use: 'receive, be notified', pattern: 'hears?|heard' },
  tally: { use: 'counters, summary', pattern: 'tally|tallies' },
  stranger: { use: 'unverified caller', pattern: 'strangers?' },
  whoever: { use: 'a client that, the caller', pattern: 'whoever' },
  afresh: { use: 'again, from the start', pattern: 'afresh' },
  anew: { use: 'again', pattern: 'anew|as good as absent|if there is so much' },
  living: { use: 'active', pattern: 'living' },
  'keep house': { use: 'maintenance', pattern: '(?:keep|keeps|keeping) house|housekeeping' },
  lane: { use: 'queue', pattern: 'lanes?' },
  turn: {
    use: 'slot, queue, limiter',
    pattern: '(?:take|takes|taking|took|their|its|a|whose|in) turns?(?! into| of the event loop)',
  },
  'look-up': { use: 'lookup', pattern: 'look-ups?' },
  'hand on': { use: 'relay, pass', pattern: '(?:hand|hands|handed|handing) (?:on|over)' },
  'in parts': { use: 'streamed, in batches', pattern: 'in-? ?parts' },
  bell: { use: 'signal', pattern: 'bells?' },
  chore: { use: 'maintenance task', pattern: 'chores?' },
  deed: { use: 'audit event', pattern: 'deeds?|doing Of' },
  judge: { use: 'evaluate, verify', pattern: 'judge(?:s|d|ments?)?|judging|judgements?' },
  burden: { use: 'load, stress', pattern: 'burden(?:s|ed|ing)?' },
  mishap: { use: 'fault', pattern: 'mishaps?' },
  newcomer: { use: 'late joiner, new contributor', pattern: 'newcomers?' },
  away: { use: 'unavailable', pattern: "(?:is|are|was|were|be|'|not) away" },
  heed: { use: 'observe', pattern: 'heed(?:s|ed)?|heedless' },
  'a try': {
    use: 'attempt',
    pattern: '(?:a|one|each|every|first|last|next|login|more) try|tries (?:left|max)',
  },
};
