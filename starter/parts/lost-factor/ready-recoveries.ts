import { MAX_DUE } from 'sallyport-app/mail'
import type { DueMails } from '../../core/mail/mails.ts'
import { createLink, hasPresentVersion } from './recovery-rows.ts'

/** Recoveries of lost factors whose waiting time is over. Each mail has a further link that stops it. */
export const READY_RECOVERIES: DueMails = {
  kind: 'lost-ready',
  choose: (database, { now, told }) =>
    database
      .selectFrom('factor_recovery')
      .innerJoin('account', 'account.id', 'factor_recovery.account_id')
      .select(['factor_recovery.id', 'factor_recovery.expires_at', 'account.email', 'account.language'])
      .where('ended_at', 'is', null)
      .where('factor_recovery.id', 'not in', told)
      .where('ready_at', '<=', now)
      .where('expires_at', '>', now)
      .limit(MAX_DUE)
      .execute(),
  // It was stopped, or the credentials have changed.
  take: async (transaction, { id }, { now, linkTo, note }) => {
    const open = transaction
      .selectFrom('factor_recovery')
      .select(['id', 'expires_at'])
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .where(hasPresentVersion)
    if (!(await note(transaction, open))) return undefined
    const cancel = await createLink(transaction, id, 'cancel')
    return { url: linkTo('/login'), cancel: linkTo(`/lost/cancel/${cancel}`) }
  },
}
