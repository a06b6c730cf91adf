import { type DueRow, MAX_DUE } from 'sallyport-app/mail'
import { plainValue } from 'sallyport-app/text'
import type { DueMails } from '../../core/mail/mails.ts'

/** How many days before its end the owner of a token is told. Every token lives longer than that. */
export const TOLD_DAYS = 3

const TOLD_SECONDS = TOLD_DAYS * 24 * 60 * 60

/** A token that ends soon. */
interface EndingToken extends DueRow {
  readonly name: string
}

/** API tokens that end soon, while their programs still run. One that is suspended is told when it counts again. */
export const ENDING_TOKENS: DueMails<EndingToken> = {
  kind: 'token-ends',
  choose: (database, { now, told }) =>
    database
      .selectFrom('api_token')
      .innerJoin('account', 'account.id', 'api_token.account_id')
      .select(['api_token.id', 'api_token.name', 'api_token.expires_at', 'account.email', 'account.language'])
      .where('api_token.id', 'not in', told)
      .where('expires_at', '>', now)
      .where('expires_at', '<=', now + TOLD_SECONDS)
      .where('account.state', '=', 'active')
      .whereRef('account.credential_version', '=', 'api_token.credential_version')
      .limit(MAX_DUE)
      .execute(),
  // It was revoked.
  take: async (database, { id, name }, { linkTo, note }) => {
    const present = database.selectFrom('api_token').select(['id', 'expires_at']).where('id', '=', id)
    if (!(await note(database, present))) return undefined
    return { name: plainValue(name), url: linkTo('/account/security/tokens') }
  },
}
