import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Mailbox } from 'sallyport-app/mail'
import { isOnThisMachine } from 'sallyport-app/clients'
import { PageController } from '../pages/page-controller.ts'
import { toMoment } from '../pages/presentation.ts'

/** The mails that a development machine did not send. */
export class MailboxController extends PageController {
  static readonly actions: Actions<MailboxController> = { index: [] }

  readonly #mailbox = inject(Mailbox)

  /**
   * @returns The newest mails.
   * @throws {NotFoundException} For everybody who is not on this machine: the links in the mails open accounts.
   */
  index(): View {
    if (!isOnThisMachine(this.context))
      throw new NotFoundException('The mailbox is open to this machine only')
    const locale = this.context.locale()
    const mails = this.#mailbox.list().map((mail) => ({
      ...mail,
      sent: toMoment(mail.at, locale),
      lines: mail.text.split('\n').map((line) => ({ text: line, link: linkOf(line) })),
    }))
    return this.page('development/mailbox', { title: 'mailbox.title', page: 'mailbox', mails })
  }
}

function linkOf(line: string): string {
  return /^https?:\/\/\S+$/.test(line) ? line : ''
}
