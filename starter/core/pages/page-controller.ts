import { inject } from 'sallyport'
import type { View } from 'sallyport/view'
import type { AuditSummary } from 'sallyport-app/audit'
import { clientOf } from 'sallyport-app/clients'
import { type EventLine, eventLines, PageController as AnyPageController } from 'sallyport-app/pages'
import type { SessionOwner } from 'sallyport-app/sessions'
import { Account } from '../accounts/account.ts'
import { kindNamedBy } from '../messages/factor-names.ts'
import { TIMES } from '../messages/language.ts'
import { PageSlots } from '../page-slots.ts'

export type { FormPage, PageState } from 'sallyport-app/pages'

/** Base of the controllers with pages. What programs get in place of pages is decided by its own base, and in `PageErrors`. */
export class PageController extends AnyPageController {
  protected readonly slots: PageSlots = inject(PageSlots)

  /** @returns Who is signed in. */
  protected account(): Account {
    return this.context.auth().principalAs(Account)
  }

  /** @returns The same, and where the request comes from. */
  protected owner(): SessionOwner {
    return { accountId: this.account().id, ...clientOf(this.context) }
  }

  /** @returns The page of a link that was used, or is too old: the message `lead` says why. Another one is asked for at the route `start`. */
  protected outdatedLink(
    page: string,
    link: {
      readonly lead: string
      readonly start?: string
      readonly title?: string
      readonly status?: number
    },
  ): View {
    const { lead, start, title = 'confirm.outdated.title', status = 410 } = link
    const url = start === undefined ? undefined : this.context.url(start)
    return this.page('parts/outdated', { title, page, narrow: true, lead, start: url }, { status })
  }

  /** @returns The page that says that a mail is on its way. Another one is asked for at the route `start`. */
  protected sentPage(
    page: string,
    words: { readonly title: string; readonly lead: string },
    start: string,
  ): View {
    return this.page('parts/sent', { ...words, page, narrow: true, start: this.context.url(start) })
  }

  /**
   * @returns The page of new recovery codes, which cannot be loaded again: they are kept nowhere. The same codes as a file are in an address
   *   that needs no script.
   */
  protected codesPage(codes: readonly string[]): View {
    const page = this.context.auth().isAuthenticated() ? 'security' : 'enrollment'
    const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\r\n')}\r\n`)}`
    return this.page('codes', { title: 'codes.title', page, narrow: true, codes, file, here: '' })
  }

  /** @returns The lines of a list of events. `named`: whether they name the account, as in a list of several. */
  protected linesOf(summaries: readonly AuditSummary[], named: boolean): readonly EventLine[] {
    const locale = this.context.locale()
    return eventLines(summaries, { named, toMoment: (at) => TIMES.moment(at, locale) })
  }

  /** @returns The name as a page shows it: one that only says what it is, in the language of the page. */
  protected shownLabel(label: string): string {
    const kind = kindNamedBy(label)
    return kind === undefined ? label : this.translate(kind)
  }
}
