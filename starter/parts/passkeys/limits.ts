import { Limit } from 'sallyport-app/limits'

/** Refused passkeys of one client, as the whole login: passwords stay a way in. A right one is accepted whatever their number is. */
export const PASSKEY_CLIENT_LIMIT: Limit = new Limit('passkey-client', 50)
