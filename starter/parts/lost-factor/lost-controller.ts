import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { Mails } from '../../core/mail/mails.ts'
import { FactorRecovery, type RecoveryState } from './factor-recovery.ts'
import { Users } from '../../core/accounts/users.ts'
import { EnrollmentStart } from '../../core/login/enrollment-start.ts'
import type { Door } from '../../core/sign-in/door.ts'
import { SecondDoor } from '../../core/sign-in/second-door.ts'
import type { PageState } from '../../core/pages/page-controller.ts'
import { TIMES } from '../../core/messages/language.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'

const NO_RECOVERY: TurnedAway = {
  status: 409,
  code: 'ERR_APP_NO_RECOVERY',
  detail: 'No recovery can be asked for at present',
}
const NOT_READY: TurnedAway = {
  status: 409,
  code: 'ERR_APP_RECOVERY_NOT_READY',
  detail: 'The recovery cannot go on yet',
}

/**
 * No factor at hand: a recovery code, another factor, and only then a verified recovery. An account that must have a factor and has none
 * comes here, too, if its password came by mail. Reached behind the password only.
 */
export class LostController extends SecondDoor {
  static readonly actions: Actions<LostController> = { index: [], indexPost: [], continuePost: [] }

  readonly #recoveries = inject(FactorRecovery)
  readonly #users = inject(Users)
  readonly #start = inject(EnrollmentStart)
  readonly #mails = inject(Mails)

  /** @returns The ways that are left, in their order; a redirect to the login page when no challenge is pending. */
  async index(): Promise<View | Response> {
    return this.#waysPage(await this.#doorOfPassword())
  }

  /**
   * Asks for a verified recovery: sends the link that confirms it.
   *
   * @returns A redirect to the page.
   */
  async indexPost(): Promise<View | Response> {
    const door = await this.#doorOfPassword()
    if (!this.#mails.areSent) return this.turnAway(NO_RECOVERY, 'lost:start')
    const { context } = this
    const { principal } = door.proof.identity
    try {
      const isAsked = await this.#recoveries.ask(principal.id, clientOf(context), (links, transaction) => {
        const values = {
          url: this.#mails.linkTo(context.url('lost:confirm', { token: links.confirm })),
          cancel: this.#mails.linkTo(context.url('lost:cancel', { token: links.cancel })),
        }
        return this.#mails.send({ kind: 'lost-confirm', to: principal, values }, transaction)
      })
      if (!isAsked) return this.turnAway(NO_RECOVERY, 'lost:start')
    } catch (error) {
      return this.#waysPage(door, this.locked(error, 'lost.locked'))
    }
    return this.redirectToRoute('lost:start')
  }

  /**
   * Goes on after the waiting time: the link of a last mail leads to the set-up of a new factor, in this browser.
   *
   * @returns A redirect to the enrollment, where nobody is signed in.
   */
  async continuePost(): Promise<View | Response> {
    const { proof } = await this.#doorOfPassword()
    const { kind } = await this.#recoveries.stateOf(proof.identifier)
    if (kind !== 'ready') return this.turnAway(NOT_READY, 'lost:start')
    // The password is older.
    await this.#start.begin(this.context, { ...proof, proven: {} }, 'replacement')
    return this.redirectToRoute('enrollment:start')
  }

  // Whoever came by a link in a mail has the mailbox, which would prove the rest of a recovery as well.
  async #doorOfPassword(): Promise<Door> {
    const door = await this.door()
    return door.proof.isByMail === true ? this.turnAway(TurnedAway.passwordFirst, 'account:login') : door
  }

  async #waysPage({ proof, usable }: Door, state: PageState = {}): Promise<View> {
    const { identifier, identity } = proof
    const held = usable.filter(({ is }) => is.isHeld)
    const recovery = await this.#recoveries.stateOf(identifier)
    // It has no factor to lose, and must set one up.
    const isFirst = usable.length === 0 && (await this.#users.hasMailPassword(identifier))
    const title = isFirst ? 'lost.first.title' : 'lost.title'
    const page = { title, page: 'login', narrow: true, door: 2 }
    const data = {
      ...page,
      email: identity.principal.email,
      // A way in meanwhile, and none out of the loss.
      standIn: usable.find(({ is }) => !is.isHeld && is.kind !== 'recovery')?.is.page,
      hasCodes: usable.some(({ kind }) => kind === 'recovery'),
      isFirst,
      // The only one is the one that is lost.
      others: held.length > 1 ? this.waysOf(held) : [],
      isOffered: this.#mails.areSent,
      // `state` is a word of the templates themselves.
      stage: recovery.kind,
      at: TIMES.moment(timeOf(recovery), this.context.locale()),
    }
    return this.page('lost-factor::start', data, state)
  }
}

function timeOf(state: RecoveryState): number | null {
  if (state.kind === 'waiting') return state.readyAt
  return state.kind === 'paused' ? state.until : null
}
