import { Limit } from '../../core/limits/limit.ts'

/** Refused API tokens of one client. People at an address with a broken program may still sign in. */
export const TOKEN_CLIENT_LIMIT: Limit = new Limit('token-client', 50)
