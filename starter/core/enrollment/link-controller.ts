import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { advanceEnrollment } from '../login/pending-enrollment.ts'
import { EnrollmentStart } from './enrollment-start.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { type Enrolling, EnrollingController } from './enrolling-controller.ts'

/** The link in a mail that must be opened before a factor is set up, in the browser in which the password was proven. */
export class LinkController extends EnrollingController {
  /** Actions and their parameters. */
  static readonly actions: Actions<LinkController> = {
    indexPost: [],
    confirm: [param.string('token')],
    confirmPost: [param.string('token')],
  }

  readonly #start = inject(EnrollmentStart)

  /**
   * Sends another link.
   *
   * @returns A redirect to the page that waits for it.
   */
  async indexPost(): Promise<View | Response> {
    const enrolling = await this.enrolling()
    if (enrolling === undefined) return this.restart()
    const { enrollment, proof } = enrolling
    if (enrollment.link === null) return this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
    try {
      await this.#start.sendLink(this.context, enrollment, proof.identity.principal)
    } catch (error) {
      return this.mailPage(enrolling, this.locked(error, 'enrollment.mail.locked'))
    }
    return this.redirectSaying(this.context.url('enrollment:start'), {
      kind: 'notice',
      text: 'enrollment.mail.sent',
    })
  }

  /**
   * Changes nothing: programs that check mails open links, too.
   *
   * @returns The page that goes on; a redirect to the step that is due where no link has to be opened any more; in another browser
   *   the page that says where the link works.
   */
  async confirm(token: string): Promise<View | Response> {
    const enrolling = await this.#waiting(token)
    if (!('enrollment' in enrolling)) return enrolling
    const page = { title: 'enrollment.confirm.title', page: 'enrollment', narrow: true }
    return this.page('enrollment/confirm', {
      ...page,
      token,
      email: enrolling.proof.identity.principal.email,
    })
  }

  /** @returns A redirect to the page with the secret, also for a form that was posted before. */
  async confirmPost(token: string): Promise<View | Response> {
    const enrolling = await this.#waiting(token)
    if (!('enrollment' in enrolling)) return enrolling
    await advanceEnrollment(this.context.session(), { ...enrolling.enrollment, link: null }, this.clock)
    return this.redirectToRoute('enrollment:start')
  }

  // Which link was opened is not kept: once one was, every link leads back to the step that is due.
  async #waiting(token: string): Promise<Enrolling | View | Response> {
    if (this.context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const enrolling = await this.enrolling()
    if (enrolling === undefined) return this.#elsewhere()
    const { enrollment } = enrolling
    if (enrollment.link === null) return this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
    return this.#start.isLinkOf(enrollment, token) ? enrolling : this.#elsewhere()
  }

  #elsewhere(): View {
    const page = { title: 'enrollment.elsewhere.title', failed: true, page: 'enrollment', narrow: true }
    return this.page('enrollment/elsewhere', page, { status: 410 })
  }
}
