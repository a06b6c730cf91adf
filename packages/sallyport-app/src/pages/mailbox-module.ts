import { defineModule, inject, type ModuleDefinition } from 'sallyport'
import { type MiddlewareClass, NotFoundException } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { isOnThisMachine } from '../clients/index.ts'
import { Mailbox } from '../mail/index.ts'
import { PageController } from './page-controller.ts'
import type { PageData } from './page-state.ts'
import type { WrittenTimes } from './written-times.ts'

/** The page of the mails that a development machine did not send. */
export interface MailboxPage {
  /** Name of its template. */
  readonly template: string
  /** Its data. Beside it the template gets `mails`, each with the moment `sent` and its `lines`: the `text`, and the `link` that it is. */
  readonly data: PageData
  /** Writes times. */
  readonly times: WrittenTimes
  /** Guards of the page, such as the one that looks who is signed in. */
  readonly guards: readonly MiddlewareClass[]
}

/**
 * Makes the module of the mailbox: `development:mailbox`, for this machine only, because the links in the mails open accounts.
 *
 * @param page Its page.
 * @returns The module, for an application whose mailer is a {@link Mailbox}.
 */
export function mailboxModule({ template, data, times, guards }: MailboxPage): ModuleDefinition {
  class MailboxController extends PageController {
    static readonly actions: Actions<MailboxController> = { index: [] }

    readonly #mailbox = inject(Mailbox)

    index(): View {
      if (!isOnThisMachine(this.context))
        throw new NotFoundException('The mailbox is open to this machine only')
      const mails = this.#mailbox.list().map((mail) => ({
        ...mail,
        sent: times.moment(mail.at, this.context.locale()),
        lines: mail.text.split('\n').map((text) => ({ text, link: linkOf(text) })),
      }))
      return this.page(template, { ...data, mails })
    }
  }
  return defineModule('Development', (module) =>
    module
      .mount('dev')
      .withoutConventionRouting()
      .controllers(MailboxController)
      .middleware(...guards)
      .routes((routes) => {
        routes.get('/mail', [MailboxController, 'index']).name('mailbox')
      }),
  )
}

function linkOf(line: string): string {
  return /^https?:\/\/\S+$/.test(line) ? line : ''
}
