import { Limit } from 'sallyport-app/limits'

/** Links to change the address of one account: each sends a mail to somebody. */
export const ADDRESS_CHANGE_LIMIT: Limit = new Limit('address-change', 5, { windowSeconds: 60 * 60 })
