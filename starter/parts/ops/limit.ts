import { Limit } from '../../core/limits/limit.ts'

/** Wrong passwords for the pages of operators, of one client. */
export const OPS_CLIENT_LIMIT: Limit = new Limit('ops-client', 50)
