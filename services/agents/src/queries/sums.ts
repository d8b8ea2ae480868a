/**
 * The largest sum a row of a budget or of usage holds. Spent and reserved together stay below 2^53, so they are
 * exact in JSON and JavaScript. A larger sum is stored as this maximum.
 */
export const budgetSumMax = 2 ** 52;
