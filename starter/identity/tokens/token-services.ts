import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import type { Schema } from '../../database/schema.ts'
import type { Users } from '../accounts/users.ts'
import { ActivityPages } from '../audit/activity-pages.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Attempts } from '../limits/attempts.ts'
import { ApiTokens } from './api-tokens.ts'
import { TokenCheck } from './token-check.ts'

/** What the services of the tokens are made of. */
export interface TokenServiceParts {
  readonly database: Kysely<Schema>
  readonly users: Users
  readonly attempts: Attempts
  readonly audit: AuditTrail
  readonly clock: Clock
}

/**
 * Registers the services of the API tokens.
 *
 * @param definitions Services of the application.
 * @param parts What they are made of.
 */
export function setTokenServices(definitions: Definitions, parts: TokenServiceParts): void {
  definitions
    .set(ApiTokens, new ApiTokens(parts))
    .set(TokenCheck, new TokenCheck(parts))
    .set(ActivityPages, new ActivityPages(parts.database))
}
