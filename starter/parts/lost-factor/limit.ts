import { Limit } from 'sallyport-app/limits'

/** Requests to replace lost factors of one account: each sends a mail. */
export const LOST_FACTOR_LIMIT: Limit = new Limit('lost-factor', 5, { windowSeconds: 12 * 60 * 60 })
