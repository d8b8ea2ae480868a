/**
 * The largest sum a budget row holds. Two of them together, spent and reserved, are still an exact number in
 * JSON and JavaScript (2^53). Beyond it a month shows this sum and no more.
 */
export const budgetSumMax = 2 ** 52;
