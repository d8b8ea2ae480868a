/**
 * Spans of this process that the collector accepted, and that were lost: dropped because too many waited, not accepted,
 * or not in time. State of the module, as the tracer is.
 */
export const spanCounts = { sent: 0, lost: 0 };
