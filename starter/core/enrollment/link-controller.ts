import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { linkDigest } from 'sallyport-app/mail'
import { advanceEnrollment } from '../login/pending-enrollment.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { type Enrolling, EnrollingController } from './enrolling-controller.ts'

/** The link in a mail that must be opened before a factor is set up, in the browser in which the password was proven. */
export class LinkController extends EnrollingController {
  static readonly actions: Actions<LinkController> = {
    indexPost: [],
    confirm: [param.string('token')],
    confirmPost: [param.string('token')],
  }

  async indexPost(): Promise<View | Response> {
    const enrolling = await this.enrolling()
    const { enrollment, proof } = enrolling
    if (enrollment.link === null) return this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
    try {
      await this.start.sendLink(this.context, enrollment, proof.identity.principal)
    } catch (error) {
      return this.mailPage(enrolling, this.locked(error, 'enrollment.mail.locked'))
    }
    const url = this.context.url('enrollment:start')
    return this.redirectSaying(url, 'enrollment.mail.sent')
  }

  /** The page that goes on. It changes nothing: programs that check mails open links, too. */
  async confirm(token: string): Promise<View | Response> {
    const waiting = await this.#waiting(token)
    if (waiting === undefined) return this.#elsewhere()
    const page = { title: 'enrollment.confirm.title', page: 'enrollment', narrow: true }
    const { email } = waiting.proof.identity.principal
    return this.page('enrollment/confirm', { ...page, token, email })
  }

  async confirmPost(token: string): Promise<View | Response> {
    const waiting = await this.#waiting(token)
    if (waiting === undefined) return this.#elsewhere()
    await advanceEnrollment(this.context.session(), { ...waiting.enrollment, link: null }, this.clock)
    return this.redirectToRoute('enrollment:start')
  }

  // Which link was opened is not kept: once one was, every link leads back to the step that is due.
  async #waiting(token: string): Promise<Enrolling | undefined> {
    if (this.context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const found = await this.find()
    if (typeof found === 'string') return undefined
    if (found.enrollment.link === null) return this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
    return found.enrollment.link === linkDigest('enrollment', token) ? found : undefined
  }

  #elsewhere(): View {
    const link = { title: 'enrollment.elsewhere.title', lead: 'enrollment.elsewhere.text' }
    return this.outdatedLink('enrollment', link)
  }
}
